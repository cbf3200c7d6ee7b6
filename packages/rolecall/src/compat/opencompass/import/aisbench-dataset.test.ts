import { expect, test } from 'vitest'
import { load } from '../loaders/load.ts'
import { fromAisBench } from './aisbench-dataset.ts'

const filesOf = (files: Record<string, string>) => ({
  environment: {},
  kind: async (path: string) =>
    files[path] !== undefined
      ? ('file' as const)
      : Object.keys(files).some((name) => name.startsWith(`${path}/`))
        ? ('folder' as const)
        : undefined,
  bytes: async (path: string) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path])),
  names: async (path: string) => {
    const inside = Object.keys(files).filter((name) => name.startsWith(`${path}/`))
    return [...new Set(inside.map((name) => name.slice(path.length + 1).split('/')[0]!))]
  },
})

const bfcl = (category: string, evaluator: string) => ({
  abbr: `BFCL-v3-${category}`,
  type: 'BFCLDataset',
  category,
  path: 'bfcl',
  infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { type: 'BFCLV3FunctionCallInferencer' } },
  eval_cfg: { evaluator: { type: evaluator, category } },
})

test('BFCL: messages and tools are columns; calls that are run or compared as source text stay refused', async () => {
  const dataset = fromAisBench(bfcl('simple', 'BFCLSingleTurnEvaluator'))
  expect(dataset).toMatchObject({
    reader_cfg: { tools_column: 'tools' },
    infer_cfg: { prompt_template: { messages: [{ expand_column: 'messages' }] } },
    eval_cfg: { evaluator: { type: 'BFCLEvaluator', category: 'simple' } },
  })
  for (const kept of [bfcl('java', 'BFCLSingleTurnEvaluator'), bfcl('multi_turn_base', 'BFCLMultiTurnEvaluator')])
    expect(fromAisBench(kept)).toBe(kept)
  const question = { id: 'simple_0', question: [[{ role: 'user', content: 'Go.' }]], function: [] }
  const files = filesOf({
    'bfcl/BFCL_v3_simple.json': JSON.stringify(question),
    'bfcl/possible_answer/BFCL_v3_simple.json': JSON.stringify({ id: 'simple_0', ground_truth: [{ go: {} }] }),
  })
  expect(await load('BFCLDataset', { path: 'bfcl', category: 'simple' }, files)).toMatchObject({
    rows: [{ id: 'simple_0', messages: [{ role: 'user', content: 'Go.' }], tools: [], ground_truth: [{ go: {} }] }],
  })
  const other = filesOf({
    'bfcl/BFCL_v3_simple.json': JSON.stringify(question),
    'bfcl/possible_answer/BFCL_v3_simple.json': JSON.stringify({ id: 'simple_1', ground_truth: [] }),
  })
  await expect(load('BFCLDataset', { path: 'bfcl', category: 'simple' }, other)).rejects.toThrow('the answer is that of simple_1')
})

test('parts follow the order of the row, in the words of prompt_mm', async () => {
  const parts = {
    text: { type: 'text', text: '{question} Be brief.' },
    audio: { type: 'audio_url', audio_url: { url: 'file://{audio}' } },
  }
  const dataset = fromAisBench({
    type: 'VocalSoundDataset',
    infer_cfg: { prompt_template: { type: 'MMPromptTemplate', template: { round: [{ role: 'HUMAN', prompt_mm: parts }] } } },
  })
  expect(dataset).toMatchObject({
    with_parts: parts,
    infer_cfg: { prompt_template: { messages: [{ role: 'user', content: ['{content}'] }] } },
  })
  const settings = { path: 'sounds', audio_type: 'audio_path', with_parts: parts }
  const files = filesOf({ 'sounds/f1_0_cough.wav': 'x', 'sounds/notes.txt': 'x' })
  expect(await load('VocalSoundDataset', settings, files)).toMatchObject({
    rows: [
      {
        content: [
          { type: 'audio_url', audio_url: { url: 'file://sounds/f1_0_cough.wav' } },
          { type: 'text', text: expect.stringMatching(/^In this audio.*ASSISTANT: Be brief\.$/) },
        ],
        answer: 'cough',
      },
    ],
  })
  await expect(load('VocalSoundDataset', { ...settings, with_parts: {} }, files)).rejects.toThrow('prompt_mm has no part "audio"')
})

test('a judge that AISBench asks as a second dataset is a judge of this one', () => {
  const dataset = fromAisBench({
    type: 'Aime2025Dataset',
    judge_infer_cfg: { prompt_template: { template: 'Right? {model_answer}' } },
    eval_cfg: { evaluator: { type: 'LLMJudgeCorrectEvaluator' }, pred_postprocessor: { type: 'get_a_or_b' } },
  })
  expect(dataset).toEqual({
    type: 'Aime2025Dataset',
    eval_cfg: {
      evaluator: {
        type: 'GenericLLMEvaluator',
        judge_cfg: {},
        prompt_template: { template: 'Right? {prediction}' },
        dict_postprocessor: { type: 'get_a_or_b' },
      },
    },
  })
})
