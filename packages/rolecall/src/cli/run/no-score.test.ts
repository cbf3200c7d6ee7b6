import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const config = (evaluator: string) => `
models: [{ abbr: tiny, type: embedded, format: internlm2, max_out_len: 8 }]
datasets:
  - abbr: sums
    rows: [{ question: 12+30=?, answer: '42' }]
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: { round: [{ role: HUMAN, prompt: '{question}' }, { role: BOT, prompt: '' }] } } }
    eval_cfg: { evaluator: { type: ${evaluator} } }
`

test('an unknown evaluator is rejected by name; with --no-score the dataset runs, and is scored later', async () => {
  const folder = folderWith({ 'unknown.yaml': config('QuixoticBenchmarkEvaluator'), 'known.yaml': config('AccEvaluator') })
  const refused = await rolecall(['run', 'unknown.yaml'], folder)
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.stderr).toContain('"QuixoticBenchmarkEvaluator" is not available')
  expect(refused.stderr).toContain('--no-score')
  const asked = await rolecall(['run', 'unknown.yaml', '--no-score', '-w', 'out', '--json'], folder)
  expect(asked).toMatchObject({ code: 0 })
  const [result] = (JSON.parse(asked.stdout) as { results: Record<string, unknown>[] }).results
  expect(result).toMatchObject({ rows: 1, failed: 0, unit: 'not scored' })
  expect(result).not.toHaveProperty('value')
  const scored = await rolecall(['score', 'out', '--config', 'known.yaml', '--json'], folder)
  expect((JSON.parse(scored.stdout) as { results: object[] }).results[0]).toMatchObject({ metric: 'accuracy', value: 100 })
  expect(readFileSync(join(folder, 'known.yaml'), 'utf8')).toContain('AccEvaluator')
}, 120_000)
