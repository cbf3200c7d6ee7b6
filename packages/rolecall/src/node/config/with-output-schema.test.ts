import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { loadConfig } from './load-config.ts'

const config = (schema: string) => `
models: [{ abbr: tiny, type: embedded }]
datasets:
  - abbr: towns
    path: rows.jsonl
    output_schema: ${schema}
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: '{question}' } }
`

const load = (name: string) =>
  loadConfig(
    `${folderWith({
      'rolecall.config.yaml': config(name),
      'town.json': '{"type": "object"}',
      'list.json': '[]',
      'cut.json': '{"type":',
      'rows.jsonl': '{"question": "?", "answer": "{}"}',
    })}/rolecall.config.yaml`,
  )

test('the output schema may be a file beside the config', async () => {
  expect((await load('town.json')).config.datasets[0]!.output_schema).toEqual({ type: 'object' })
})

test('a missing file or one without a schema is an error that names it', async () => {
  await expect(load('none.json')).rejects.toThrow(/towns › output_schema: there is no file .*none.json/)
  await expect(load('list.json')).rejects.toThrow(/list.json does not contain a JSON Schema/)
  await expect(load('cut.json')).rejects.toThrow(/cut.json is not JSON/)
})
