import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { folderWith } from '../proof/testing/folder-with.ts'
import { rolecall } from '../proof/testing/rolecall.ts'
import { outputs, outputVersion } from './output-schemas.ts'

const ajv = new Ajv({ strict: false })
const validate = Object.fromEntries(
  outputs.map(({ name }) => {
    const schema = JSON.parse(readFileSync(new URL(`../packages/rolecall/schema/${name}.schema.json`, import.meta.url), 'utf8')) as {
      $id: string
    }
    expect(schema.$id).toBe(`rolecall:${name}:${outputVersion}`)
    return [name, ajv.compile(schema)]
  }),
)
const problemsOf = (name: (typeof outputs)[number]['name'], value: unknown) => (validate[name]!(value) ? [] : validate[name]!.errors)

const rows = [
  { q: '1+1=?', a: '2', level: 'easy' },
  { q: '12+30=?', a: '42', level: 'hard' },
]
const reader_cfg = { input_columns: ['q'], output_column: 'a' }
const config = {
  models: [
    { abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 8, price: { input: 1, output: 2 } },
    { abbr: 'plain', type: 'embedded', format: 'plain', max_out_len: 8 },
  ],
  datasets: [
    {
      abbr: 'sums',
      rows,
      by: 'level',
      reader_cfg,
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } } },
    },
    {
      abbr: 'choice',
      rows,
      reader_cfg,
      infer_cfg: { prompt_template: { template: { '2': 'Q: {q} A: 2', '42': 'Q: {q} A: 42' } }, inferencer: { type: 'PPLInferencer' } },
    },
  ],
  summarizer: { summary_groups: [{ name: 'both', subsets: ['sums', 'choice'] }] },
}

test('what a run prints and writes is described: no field is missing or undocumented', { timeout: 120_000 }, async () => {
  const folder = folderWith({ 'config.json': JSON.stringify(config) })
  const { stdout, stderr } = await rolecall(['run', 'config.json', '-w', 'out', '--prompts', '--json'], folder, { ROLECALL_CACHE: 'off' })
  expect(stderr).not.toMatch(/^error/m)
  const { error: _, ...summary } = JSON.parse(stdout) as { error?: unknown; results: object[] }
  expect(problemsOf('run-summary', summary)).toEqual([])
  expect(summary.results.length).toBe(4)
  for (const result of summary.results) expect(problemsOf('pair-result', result)).toEqual([])
  const run = join(folder, 'out', readdirSync(join(folder, 'out'))[0]!)
  expect(problemsOf('run-summary', JSON.parse(readFileSync(join(run, 'summary/summary.json'), 'utf8')))).toEqual([])
  const files = readdirSync(join(run, 'predictions'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  const records = files.flatMap((name) =>
    readFileSync(join(run, 'predictions', name), 'utf8')
      .trim()
      .split('\n'),
  )
  expect(records.length).toBe(8)
  for (const line of records) expect(problemsOf('row-record', JSON.parse(line))).toEqual([])
  expect(problemsOf('row-record', { ...(JSON.parse(records[0]!) as object), colour: 'red' })).not.toEqual([])
})

test('the error object is described', async () => {
  const { stdout } = await rolecall(['run', 'gone.yaml', '--json'])
  expect(problemsOf('json-error', (JSON.parse(stdout) as { error: unknown }).error)).toEqual([])
})
