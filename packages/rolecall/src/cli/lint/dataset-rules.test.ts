import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { datasetRules } from '../../workbench/lint/dataset-rules.ts'

const plain = { type: 'embedded', format: 'plain' }

async function lintDataset(dataset: object, model: object, rule: string) {
  const config = { models: [{ abbr: 'model', ...model }], datasets: [{ abbr: 'sums', ...dataset }] }
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  const { stdout } = await rolecall(['lint', '--json', '--rule', rule], folder)
  return JSON.parse(stdout).findings
}

describe.each(datasetRules.map((rule) => ({ id: rule.id, rule })))('$id', ({ id, rule: { example, severity } }) => {
  const { bad, good, model = plain } = example

  test('finds the problem of its example, and its place', async () => {
    const findings = await lintDataset(bad, model, id)
    expect(findings).toMatchObject([{ rule: id, severity, subject: 'rolecall.config.json', part: 'sums', place: { kind: 'config' } }])
    expect(findings[0].place.path).toMatch(/^datasets\[0\]\.(reader_cfg|infer_cfg|eval_cfg|path|cluster)/)
  })

  test('finds nothing in a correct dataset', async () => {
    expect(await lintDataset(good, model, id)).toEqual([])
  })
})

test('missing rows are named, and the rest is checked', async () => {
  const dataset = { abbr: 'sums', path: 'none.jsonl', infer_cfg: { prompt_template: { template: '{question}' } } }
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify({ models: [{ abbr: 'model', ...plain }], datasets: [dataset] }) })
  const { stdout, stderr } = await rolecall(['lint'], folder)
  expect(stdout).toMatch(/^this config · nothing found\n\nnot checked {2}.*\n.*sums: rows are not checked/)
  expect(stderr).toBe('')
})

test('--limit sets the number of checked rows', async () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ question: `${index}?`, hint: '', answer: `${index}` }))
  const infer = { prompt_template: { template: '{question} {hint} A:' } }
  const config = { datasets: [{ abbr: 'sums', rows, reader_cfg: { input_columns: ['question', 'hint'] }, infer_cfg: infer }] }
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  const { stdout } = await rolecall(['lint', '--rule', 'field-empty', '--limit', '4'], folder)
  expect(stdout).toContain('{hint} is empty in all 4 rows')
})
