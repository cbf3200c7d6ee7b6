import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

vi.setConfig({ testTimeout: 90_000 })

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const schema = {
  type: 'object',
  properties: { answer: { type: 'string', maxLength: 8 }, sure: { type: 'boolean' } },
  required: ['answer', 'sure'],
  additionalProperties: false,
}

function folderOf(dataset: object): string {
  const config = {
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 80 }],
    datasets: [
      {
        abbr: 'capitals',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'gold' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: { evaluator: { type: 'FieldsEvaluator', schema } },
        ...dataset,
      },
    ],
  }
  const rows = [
    { question: 'What is the capital of France?', gold: { answer: 'Paris', sure: true } },
    { question: 'What is the capital of Italy?', gold: '{"answer": "Rome", "sure": true}' },
  ]
  const folder = folderWith({
    'rolecall.config.json': JSON.stringify(config),
    'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
  })
  folders.push(folder)
  return folder
}

const lastRun = (folder: string) => join(folder, 'outputs', readdirSync(join(folder, 'outputs')).sort().at(-1)!)

test('answers of a dataset with an output_schema conform to it, and are scored by field', async () => {
  const folder = folderOf({ output_schema: schema })
  const { code, stdout, stderr } = await rolecall(['run', '--json'], folder)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const files = readdirSync(lastRun(folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  const records = files.flatMap((name) =>
    readFileSync(join(lastRun(folder), name), 'utf8')
      .trim()
      .split('\n'),
  )
  const predictions = records.map((line) => (JSON.parse(line) as { prediction?: string }).prediction).filter((one) => one !== undefined)
  expect(predictions).toHaveLength(2)
  for (const prediction of predictions) {
    expect(JSON.parse(prediction)).toEqual({ answer: expect.any(String), sure: expect.any(Boolean) })
  }
  expect(stdout).toContain('"valid": 100')
})

test('unenforceable schemas are rejected before the first request, by every command', async () => {
  const folder = folderOf({ output_schema: { ...schema, properties: { answer: { type: 'array', uniqueItems: true } } } })
  for (const command of [['run'], ['run', '--dry-run'], ['render', '--text']]) {
    const { code, stderr } = await rolecall(command, folder)
    expect(code, command.join(' ')).toBe(2)
    expect(stderr).toMatch(/capitals › output_schema#\/properties\/answer\/uniqueItems\n +uniqueItems cannot be enforced/)
  }
  const scored = folderOf({
    output_schema: schema,
    infer_cfg: { prompt_template: { template: { A: 'A', B: 'B' } }, inferencer: { type: 'PPLInferencer' } },
  })
  const { code, stderr } = await rolecall(['run'], scored)
  expect(code).toBe(2)
  expect(stderr).toMatch(/capitals › output_schema\n +the model only computes likelihoods/)
})
