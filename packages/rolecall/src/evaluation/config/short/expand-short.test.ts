import { expect, test } from 'vitest'
import { checkConfig } from '../check-config.ts'
import { expandShort, isShortConfig } from './expand-short.ts'
import { modelNamed } from './name-models.ts'
import type { ShortConfig } from './short-schema.ts'

const base: ShortConfig = { data: 'data/qa.jsonl', prompts: '{question}', models: ['embedded'], gold: 'answer', check: 'contains' }
const files: Record<string, string> = {
  'prompts/careful.txt': 'Think first.\n{question}\n',
  'chat.json': '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "{question}"}]',
}
const expand = (more: ShortConfig) => expandShort({ ...base, ...more }, { where: 'eval.yaml › ', readText: (path) => files[path] ?? '' })
const names = (entries: readonly { abbr?: string }[]) => entries.map(({ abbr }) => abbr)

test('data, prompts and models become a dataset for each prompt and a model for each model, with their places on the axes', () => {
  const prompts = { short: '{question}', careful: 'prompts/careful.txt', chat: [{ system: 'Be brief.' }, { user: '{question}' }] }
  const config = expand({ prompts, models: ['openai:gpt-4o-mini', 'ollama:qwen3', 'embedded'] })
  expect(names(config.datasets)).toEqual(['qa-short', 'qa-careful', 'qa-chat'])
  expect(names(config.models)).toEqual(['gpt-4o-mini', 'qwen3', 'embedded'])
  expect(config.datasets).toMatchObject([
    {
      path: 'data/qa.jsonl',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      eval_cfg: { evaluator: { type: 'TextEvaluator', check: 'contains' } },
      axes: { data: 'qa', prompt: 'short' },
    },
    { axes: { data: 'qa', prompt: 'careful' } },
    { axes: { data: 'qa', prompt: 'chat' } },
  ])
  const templates = config.datasets.map((dataset) => 'infer_cfg' in dataset && dataset.infer_cfg?.prompt_template)
  const answer = { role: 'BOT', prompt: '{answer}' }
  expect(templates).toEqual([
    { template: { round: [{ role: 'HUMAN', prompt: '{question}' }, answer] } },
    { template: { round: [{ role: 'HUMAN', prompt: 'Think first.\n{question}' }, answer] } },
    {
      template: {
        begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Be brief.' }],
        round: [{ role: 'HUMAN', prompt: '{question}' }, answer],
      },
    },
  ])
  // The full form passes every check of a config that was written by hand.
  expect(checkConfig(config, 'eval.yaml › ')).toMatchObject({ warnings: [], unused: [] })
})

test('formats, shots and temperature are axes like prompts and models', () => {
  const config = expand({ formats: ['chatml', 'plain'], temperature: [0, 1], shots: [0, 2], examples: 'train.jsonl', max_tokens: 9 })
  expect(names(config.models)).toEqual(['embedded-chatml-t0', 'embedded-chatml-t1', 'embedded-plain-t0', 'embedded-plain-t1'])
  expect(config.models[3]).toMatchObject({ temperature: 1, max_out_len: 9, axes: { model: 'embedded', format: 'plain', temperature: 1 } })
  expect(names(config.datasets)).toEqual(['qa-0-shot', 'qa-2-shot'])
  expect(config.datasets[1]).toMatchObject({
    train_path: 'train.jsonl',
    infer_cfg: { retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] }, prompt_template: { ice_token: '</E>' } },
    axes: { data: 'qa', shots: 2 },
  })
  expect(expand({ temperature: 0.5 }).models).toMatchObject([{ abbr: 'embedded', temperature: 0.5, axes: { model: 'embedded' } }])
})

test('the place of examples is a text that no prompt has', () => {
  const [dataset] = expand({ prompts: 'Close </E>: {question}', shots: 1, examples: 'train.jsonl' }).datasets
  expect(dataset).toMatchObject({ infer_cfg: { prompt_template: { ice_token: '</E1>' } } })
})

test('models are named as in promptfoo and Inspect, by files, hubs and servers', () => {
  const openai = { abbr: 'gpt-4o', type: 'openai', path: 'gpt-4o', format: 'messages' }
  expect(modelNamed('openai:gpt-4o', 'm')).toEqual(openai)
  expect(modelNamed('openai/gpt-4o', 'm')).toEqual(openai)
  expect(modelNamed('openai:chat:gpt-4o', 'm')).toEqual(openai)
  expect(modelNamed('openai:m@http://127.0.0.1:9/v1', 'm')).toEqual({
    abbr: 'm',
    type: 'openai',
    path: 'm',
    format: 'messages',
    base_url: 'http://127.0.0.1:9/v1',
  })
  expect(modelNamed('ollama:qwen3:8b', 'm')).toMatchObject({ path: 'qwen3:8b', base_url: 'http://127.0.0.1:11434/v1' })
  expect(modelNamed('gguf:models/a.gguf', 'm')).toEqual({ abbr: 'a', type: 'gguf', path: 'models/a.gguf' })
  expect(modelNamed('org/a-GGUF:Q4_K_M', 'm')).toMatchObject({ type: 'gguf', path: 'org/a-GGUF:Q4_K_M' })
  // Weights of a hub run on a server that is named; without one, their prompts can still be shown.
  expect(modelNamed('Qwen/Qwen3-8B', 'm')).toEqual({
    abbr: 'Qwen3-8B',
    path: 'Qwen/Qwen3-8B',
    chat_template: 'Qwen/Qwen3-8B',
    tokenizer_path: 'Qwen/Qwen3-8B',
  })
  expect(modelNamed('Qwen/Qwen3-8B@http://127.0.0.1:8000/v1', 'm')).toMatchObject({ type: 'openai', base_url: 'http://127.0.0.1:8000/v1' })
  expect(() => modelNamed('opnai:gpt-4o', 'models[0]')).toThrow(/models\[0\]: "opnai:gpt-4o" is not a model.*did you mean "openai"/i)
})

test('a model can have further settings, a name, or be written in full', () => {
  const { models } = expand({
    models: { cold: 'openai:m', warm: { model: 'openai:m', temperature: 1 }, own: { type: 'embedded', format: 'chatml' } },
  })
  expect(models).toMatchObject([
    { abbr: 'cold', path: 'm' },
    { abbr: 'warm', path: 'm', temperature: 1 },
    { abbr: 'own', type: 'embedded', format: 'chatml' },
  ])
  expect(names(expand({ models: ['openai:m@http://a/v1', 'openai:m@http://b/v1'] }).models)).toEqual(['m', 'm-2'])
})

test('rows can be written in tests, each with its check, beside checks of all', () => {
  const { data: _, ...rest } = base
  const { datasets } = expandShort({
    ...rest,
    gold: undefined,
    check: { not: true, icontains: 'sorry' },
    tests: [{ question: '1+1?', check: { contains: '2' } }, { question: 'Hi' }],
  })
  expect(datasets).toMatchObject([
    {
      abbr: 'tests',
      rows: [
        { question: '1+1?', check: { contains: '2' } },
        { question: 'Hi', check: '' },
      ],
      eval_cfg: { evaluator: { type: 'ChecksEvaluator', column: 'check', checks: [{ name: 'not-icontains' }] } },
    },
  ])
})

test.each<[why: string, more: ShortConfig, error: RegExp]>([
  ['an unknown key', { chekc: 'exact' } as ShortConfig, /"chekc".*did you mean "check"/i],
  ['an unknown check', { check: 'contain' }, /check: "contain" is not a check.*did you mean "contains"/i],
  ['a check of two kinds', { check: { contains: 'a', exact: 'b' } }, /check: it has several kinds: exact, contains/],
  ['a check without a kind', { check: [{ weight: 2 }] }, /check\[0\]: it does not say what is checked/],
  ['a judge that asks nothing', { check: 'judge' }, /"judge" needs a value.*\{ judge: … \}/],
  ['no prompt', { prompts: undefined }, /prompts: there is no prompt/],
  ['a prompt that ends with the model', { prompts: [{ user: 'a' }, { assistant: 'b' }] }, /prompts: its last message is not the user's/],
  ['examples from nowhere', { shots: 2 }, /examples: "shots" asks for 2 examples/],
  ['an unknown format', { formats: ['chatlm'] }, /formats\[0\].*there is no format "chatlm".*did you mean "chatml"/i],
  ['two data keys', { tests: [{ a: 1 }] }, /tests: "data" is also given/],
])('%s is an error with its place and a fix', (_, more, error) => {
  expect(() => expand(more)).toThrow(error)
})

test('a config in the full form, of promptfoo or of anything else is not taken for the short form', () => {
  expect(isShortConfig(base)).toBe(true)
  expect(isShortConfig({ ...base, dta: 1, data: undefined })).toBe(true)
  for (const other of [
    { models: [], datasets: [] },
    { prompts: [], providers: [], tests: [] },
    { models: [] },
    [],
    null,
    'x',
    { messages: [] },
  ])
    expect(isShortConfig(other)).toBe(false)
})
