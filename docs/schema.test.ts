import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readCases } from '../cases/read-cases.ts'
import { writeConfig } from '../src/cli/init/write-config.ts'
import { exampleConfig } from '../src/cli/render/example-config.ts'

const schema = JSON.parse(readFileSync(new URL('../schema/rolecall.schema.json', import.meta.url), 'utf8')) as object
const validate = new Ajv({ strict: false }).compile(schema)
const problems = (config: unknown) => (validate(config) ? [] : validate.errors)

test('the JSON Schema accepts the shipped example', () => expect(problems(exampleConfig)).toEqual([]))

for (const path of [undefined, 'data.jsonl']) {
  const answers = { ...(path ? { path } : {}), question: '问题\n', answer: 'answer', format: 'chatml', schema: 'x.json' }
  test(`the JSON Schema accepts what init writes, ${path ?? 'with rows'}`, () => {
    expect(problems(JSON.parse(writeConfig({ kind: 'json', ...answers })))).toEqual([])
    expect(problems(parse(writeConfig({ kind: 'yaml', ...answers })))).toEqual([])
  })
}

const example = new URL('../examples/rolecall.config.yaml', import.meta.url)
test('the JSON Schema accepts the config of examples/', () => expect(problems(parse(readFileSync(example, 'utf8')))).toEqual([]))

test('the JSON Schema accepts every case that renders', () => {
  const rendered = readCases().flatMap(({ cases }) =>
    cases.flatMap((one) => {
      if (!('model' in one) || 'error' in one.expected) return []
      if ('chat' in one) return [{ name: one.name, config: { models: [one.model] } }]
      return 'compat' in one.dataset ? [] : [{ name: one.name, config: { models: [one.model], datasets: [one.dataset] } }]
    }),
  )
  expect(rendered.length).toBeGreaterThan(200)
  for (const { name, config } of rendered) expect({ name, problems: problems(config) }).toEqual({ name, problems: [] })
})

test.each([
  [
    'a misspelt key of a turn',
    { datasets: [{ infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', promt: 'x' }] } } } }] },
  ],
  ['a round that is not a list', { datasets: [{ infer_cfg: { prompt_template: { template: { round: 'x' } } } }] }],
  ['an unknown key at the top', { model: [] }],
  ['a dataset without infer_cfg', { datasets: [{ abbr: 'x' }] }],
])('the JSON Schema refuses %s', (_, config) => expect(validate(config)).toBe(false))
