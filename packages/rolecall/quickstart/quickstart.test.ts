import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../src/evaluation/config/config-schema.ts'
import { planRun, runPairs } from '../src/evaluation/run/run-pairs.ts'
import { loadConfig } from '../src/node/config/load-config.ts'
import { nodeEnvironment } from '../src/node/runs/node-environment.ts'

const figures: Record<string, Record<string, number>> = {}
const lines: number[] = []

beforeAll(async () => {
  const { config, folder } = await loadConfig(fileURLToPath(new URL('rolecall.config.yaml', import.meta.url)))
  const datasets = config.datasets as DatasetConfig[]
  for (const { path } of datasets)
    lines.push(
      readFileSync(join(folder, String(path)), 'utf8')
        .trimEnd()
        .split('\n').length,
    )
  const pairs = planRun(config.models as ModelConfig[], datasets.map(shortened))
  for await (const event of runPairs(pairs, nodeEnvironment(folder))) {
    if (event.kind !== 'end') continue
    const { model, dataset, value } = event.result
    figures[model] = { ...figures[model], [dataset]: value! }
    expect(event.result.failed).toBe(0)
  }
}, 600_000)

/** Figures of a third of the rows say the same. */
function shortened(dataset: DatasetConfig): DatasetConfig {
  return { ...dataset, reader_cfg: { ...dataset.reader_cfg, test_range: '[:33]' } }
}

const wrongFormats = () => Object.entries(figures).filter(([model]) => model !== 'internlm2')

test('in its own format the model does sums and choices, and what the examples show', () => {
  const own = figures.internlm2!
  expect(own.sums).toBeGreaterThanOrEqual(98)
  expect(own.choices).toBeGreaterThanOrEqual(96)
  expect(own['1 shot']).toBeGreaterThanOrEqual(96)
  expect(own['3 shots']).toBe(100)
})

test('what only the examples reveal cannot be known without them', () => {
  expect(figures.internlm2!['0 shots']).toBeLessThanOrEqual(40)
})

test('in four other formats it hardly does any', () => {
  expect(wrongFormats().map(([model]) => model)).toEqual(['vicuna', 'llama-2', 'moss', 'plain'])
  for (const [model, own] of wrongFormats()) {
    expect(own.sums, model).toBeLessThanOrEqual(5)
    expect(own.choices, model).toBeLessThanOrEqual(84)
    expect(own['3 shots'], model).toBeLessThanOrEqual(8)
  }
})

test('no task has more than 100 rows', () => {
  expect(Math.max(...lines)).toBeLessThanOrEqual(100)
})
