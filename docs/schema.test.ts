import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { dictFromEntries } from '../packages/core/src/base/python/index.ts'
import { lookAtRows } from '../packages/rolecall/src/cli/init/look-at-rows.ts'
import { writeConfig } from '../packages/rolecall/src/cli/init/write-config.ts'
import { exampleConfig } from '../packages/rolecall/src/cli/render/example-config.ts'
import { readCases } from '../proof/cases/read-cases.ts'

const schema = JSON.parse(readFileSync(new URL('../packages/rolecall/schema/rolecall.schema.json', import.meta.url), 'utf8')) as object
const validate = new Ajv({ strict: false }).compile(schema)
const problems = (config: unknown) => (validate(config) ? [] : validate.errors)

test('the JSON Schema accepts the shipped example', () => expect(problems(exampleConfig)).toEqual([]))

for (const path of [undefined, 'data.jsonl']) {
  const look = lookAtRows(
    [
      dictFromEntries([
        ['问题\n', '1+1=?'],
        ['answer', '2'],
      ]),
    ],
    { question: '问题\n', answer: 'answer' },
  )
  const draft = { ...(path ? { path } : {}), look, models: [{ abbr: 'my-model', format: 'chatml' }], schema: 'x.json' }
  test(`the JSON Schema accepts what init writes, ${path ?? 'with rows'}`, () => {
    expect(problems(JSON.parse(writeConfig({ kind: 'json', ...draft })))).toEqual([])
    expect(problems(parse(writeConfig({ kind: 'yaml', ...draft })))).toEqual([])
  })
}

const example = new URL('../examples/rolecall.config.yaml', import.meta.url)
test('the JSON Schema accepts the config of examples/', () => expect(problems(parse(readFileSync(example, 'utf8')))).toEqual([]))

test('the JSON Schema accepts every case that renders', () => {
  const rendered = readCases().flatMap(({ cases }) =>
    cases.flatMap((one) => {
      if (!('model' in one) || 'error' in one.expected) return []
      // A mistake where nothing reads it does not stop the prompt, but an editor marks it.
      if ('notes' in one && one.notes?.includes('unread-mistake')) return []
      if ('chat' in one) return [{ name: one.name, config: { models: [one.model] } }]
      return 'compat' in one.dataset ? [] : [{ name: one.name, config: { models: [one.model], datasets: [one.dataset] } }]
    }),
  )
  expect(rendered.length).toBeGreaterThan(200)
  for (const { name, config } of rendered) expect({ name, problems: problems(config) }).toEqual({ name, problems: [] })
})

test('the JSON Schema accepts the short form, and refuses its misspelt keys', () => {
  const short = {
    data: 'qa.jsonl',
    prompts: { short: '{question}', careful: 'prompts/careful.txt', chat: [{ system: 'Be brief.' }, { user: '{question}' }] },
    models: ['openai:gpt-4o-mini', { model: 'ollama:qwen3', temperature: 1 }, { type: 'embedded', format: 'chatml' }],
    gold: 'answer',
    check: ['contains', { regex: '^a', name: 'start', weight: 2 }],
    shots: [0, 3],
    examples: 'train.jsonl',
  }
  expect(problems(short)).toEqual([])
  expect(problems({ ...short, temprature: 1 })).toMatchObject([{ params: { additionalProperty: 'temprature' } }])
  expect(problems({ ...short, shots: 'many' })).not.toEqual([])
})

const infer_cfg = { prompt_template: { template: '{q}' } }
const model = (more: object) => ({ models: [{ type: 'openai', path: 'm', ...more }] })
const dataset = (more: object) => ({ datasets: [{ infer_cfg, ...more }] })
const inferred = (more: object) => ({ datasets: [{ infer_cfg: { ...infer_cfg, ...more } }] })

test.each([
  [
    'a misspelt key of a turn',
    { datasets: [{ infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', promt: 'x' }] } } } }] },
  ],
  ['a round that is not a list', { datasets: [{ infer_cfg: { prompt_template: { template: { round: 'x' } } } }] }],
  ['an unknown key at the top', { model: [] }],
  ['a dataset without infer_cfg', { datasets: [{ abbr: 'x' }] }],
  ['an address by another name', model({ url: 'http://x' })],
  ['a limit by another name', model({ max_tokens: 5 })],
  ['a misspelt setting', model({ temprature: 1 })],
  ['a misspelt setting in generation_kwargs', model({ generation_kwargs: { temprature: 1 } })],
  ['a type that there is not', model({ type: 'opnai' })],
  ['a format that there is not', model({ format: 'chatmll' })],
  ['a key of a dataset that nothing reads', dataset({ file: 'x' })],
  ['a row format that there is not', dataset({ row_format: 'choice' })],
  ['a misspelt key of the reader', dataset({ reader_cfg: { input_column: ['q'] } })],
  ['a misspelt key of the retriever', inferred({ retriever: { ice_nums: 3 } })],
  ['a retriever that there is not', inferred({ retriever: { type: 'FixRetriever' } })],
  ['an inferencer that there is not', inferred({ inferencer: { type: 'GenInferencr' } })],
  ['a limit of the inferencer by another name', inferred({ inferencer: { max_tokens: 3 } })],
  ['an evaluator that there is not', dataset({ eval_cfg: { evaluator: { type: 'AccEvaluatr' } } })],
  ['a postprocessor that there is not', dataset({ eval_cfg: { pred_postprocessor: 'first_number_' } })],
  ['a postprocessor with options that there is not', dataset({ eval_cfg: { pred_postprocessor: { type: 'first_number_' } } })],
  ['a misspelt key of eval_cfg', dataset({ eval_cfg: { evaluators: {} } })],
  ['a misspelt key of the summarizer', { summarizer: { groups: [] } }],
])('the JSON Schema refuses %s', (_, config) => expect(validate(config)).toBe(false))

test.each([
  ['keys of OpenCompass that are knowingly not read', model({ run_cfg: {}, model_kwargs: {}, generation_kwargs: { typical_p: 1 } })],
  ['a class of OpenCompass with keys of its own', { models: [{ type: 'LightllmAPI', url: 'http://x', anything: 1 }] }],
  ['a dataset class of OpenCompass with keys of its own', dataset({ type: 'RulerNiahDataset', num_samples: 5 })],
  ['full class paths', inferred({ inferencer: { type: 'opencompass.openicl.GenInferencer' }, retriever: { type: 'a.b.Retriever' } })],
  ['an evaluator by its class path', dataset({ eval_cfg: { evaluator: { type: 'mine.MyEvaluator' }, pred_postprocessor: 'mine.clean' } })],
  [
    'names that there are',
    dataset({ eval_cfg: { evaluator: { type: 'AccEvaluator' }, pred_postprocessor: { type: 'first_option_postprocess', options: 'AB' } } }),
  ],
])('the JSON Schema accepts %s', (_, config) => expect(problems(config)).toEqual([]))
