import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../../proof/testing/rolecall.ts'
import { evaluatorOf } from '../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../register-opencompass.ts'
import { customDataset } from './custom-dataset.ts'

registerOpenCompass()

const mcq = '{"question": "1+1?", "A": "1", "B": "2", "answer": "B"}\n'
const derived = (entry: object, files: Record<string, string>) => customDataset({ path: 'd/m.jsonl', ...entry }, (path) => files[path])

test('a file of questions with options is multiple choice, by generation or by perplexity', () => {
  expect(derived({}, { 'd/m.jsonl': mcq })).toMatchObject({
    abbr: 'm',
    type: 'CustomDataset',
    reader_cfg: { input_columns: ['question', 'A', 'B'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: { template: { round: [{ prompt: 'Question: {question}\nA. {A}\nB. {B}' }, { prompt: 'Answer: {answer}' }] } },
    },
    eval_cfg: { evaluator: { type: 'OptionSimAccEvaluator', options: ['A', 'B'] } },
  })
  const ppl = derived({ infer_method: 'ppl', bot_prompt: '{{{answer}}}' }, { 'd/m.jsonl': mcq })
  expect(ppl).toMatchObject({ infer_cfg: { prompt_template: { template: { B: { round: [{}, { prompt: '{B}' }] } } } } })
})

test('the columns of a file that is not here are assumed, with a note', () => {
  const notes: unknown[] = []
  const made = customDataset(
    { path: 'd/m.jsonl', data_type: 'circular-mcq' },
    () => undefined,
    (note) => notes.push(note),
  )
  expect(made).toMatchObject({ type: 'CircularCustomDataset', path: 'd/m.jsonl', option_keys: ['A', 'B', 'C', 'D'] })
  expect(notes).toEqual([
    {
      code: 'assumed-columns',
      where: 'd/m.jsonl',
      text: 'there is no such file: its columns are assumed to be question, A, B, C, D, answer',
    },
  ])
})

describe('mistakes are named with the file', () => {
  test.each([
    [{ path: 'd/m.json' }, { 'd/m.json': mcq }, 'bad-custom-dataset', 'neither .jsonl nor .csv'],
    [{}, { 'd/m.jsonl': '' }, 'bad-custom-dataset', 'JSON object'],
    [{}, { 'd/m.jsonl': mcq, 'd/m.jsonl.meta.json': '[1]' }, 'bad-custom-dataset', 'JSON object'],
    [{ path: 'd/m.csv' }, { 'd/m.csv': 'question,answer\n' }, 'bad-custom-dataset', 'no row'],
    [{ data_type: 'qa', infer_method: 'ppl' }, { 'd/m.jsonl': mcq }, 'bad-custom-dataset', 'cannot be combined'],
    [{ infer_method: 'ppl', bot_prompt: '{x}' }, { 'd/m.jsonl': mcq }, 'bad-custom-dataset', '{x} is not the column'],
  ])('%o', (entry, files, code, problem) => {
    expect(() => derived(entry, files)).toThrow(expect.objectContaining({ code, problem: expect.stringContaining(problem) }))
  })
})

test('an answer is the announced option, the one whose text it contains, or the nearest', () => {
  const { judge } = evaluatorOf({ type: 'OptionSimAccEvaluator', options: ['A', 'B', 'C'] }, true, 'mine')
  const parsed = (prediction: string, row: Record<string, string | null> = { A: 'red', B: 'blue', C: 'green' }) =>
    judge({ prediction, reference: 'B', row }).detail.parsed
  expect([' B ', 'The answer is (C).', 'the BLUE one', 'grene', 'bleu'].map((said) => parsed(said))).toEqual(['B', 'C', 'B', 'C', 'B'])
  expect(parsed('x', { A: null, B: 'yy', C: 'zz' })).toBe('B')
  expect(parsed('x', { A: null, B: null, C: null })).toBe('')
  expect(() => parsed('x', { A: 'red' })).toThrow('no column "B"')
})

test('a dataset of a Python config may be only a path', async () => {
  const folder = folderWith({
    'data/m.jsonl': mcq,
    'eval.py': "models = [dict(abbr='tiny', type='embedded', max_out_len=4)]\ndatasets = [dict(path='data/m.jsonl')]\n",
  })
  const { stdout, stderr } = await rolecall(['render', 'eval.py', '--text'], folder)
  expect(stdout + stderr).toContain('Question: 1+1?\nA. 1\nB. 2')
})
