import { expect, test } from 'vitest'
import { pairResult } from '../../../../../../proof/testing/pair-result.ts'
import type { Axes } from '../../config/axes.ts'
import { checkConfig } from '../../config/check-config.ts'
import { bestOnAxes } from './best-on-axes.ts'
import { bestText, interactionText } from './best-text.ts'
import { comparedText, compareModels, type ScoredPair } from './compare-models.ts'
import { checkMetrics, readMetricCheck } from './metric-checks.ts'
import { placeName, runTable, varyingAxes } from './run-table.ts'

/** Rows of which the first are right. */
const rights = (count: number, rows = 40) => Array.from({ length: rows }, (_, row) => Number(row < count))
function scored(model: string, prompt: string, scores: number[], more: Axes = {}): ScoredPair {
  const value = (100 * scores.reduce((sum, one) => sum + one, 0)) / scores.length
  const axes = { data: 'qa', model, prompt, ...more }
  return { result: pairResult(model, `qa-${prompt}`, value, { rows: scores.length, axes }), scores }
}
/** The careful prompt helps b, not a. */
const pairs = [
  scored('a', 'short', rights(28)),
  scored('b', 'short', rights(14)),
  scored('a', 'careful', rights(29)),
  scored('b', 'careful', rights(38)),
]

test('results are compared along one axis with the others equal, and all are one family of tests', () => {
  const compared = compareModels(pairs)
  const names = compared.map((one) => comparedText(one)).map(({ first, second, on }) => `${second} − ${first} on ${on}`)
  expect(names).toEqual(['careful − short on a · qa', 'careful − short on b · qa', 'b − a on short · qa', 'b − a on careful · qa'])
  expect(compared.map(({ adjusted }) => adjusted?.tests)).toEqual([4, 4, 4, 4])
  expect(compared[1]).toMatchObject({ axis: 'prompt', difference: 60, mcnemar: { onlyFirst: 0, onlySecond: 24 } })
})

test('models of other data are never compared, nor other models in other formats', () => {
  const other = scored('a', 'short', rights(3), { data: 'other', format: 'plain' })
  expect(compareModels([pairs[0]!, other])).toEqual([])
  expect(compareModels([pairs[0]!, scored('b', 'short', rights(9), { format: 'plain' })])).toEqual([])
})

test('the best place on an axis is the mean over the others, with the uncertainty of its lead', () => {
  const { best } = bestOnAxes(pairs)
  expect(best).toMatchObject([
    { axis: 'prompt', best: 'careful', second: 'short', over: 2, value: 83.75, secondValue: 52.5 },
    { axis: 'model', best: 'a', second: 'b', over: 2 },
  ])
  expect(bestText(best[0]!)).toMatch(
    /^prompt careful: 83\.8 against 52\.5 of short, \+31\.3 \[\+23\.8, \+\d+\.\d\], p < 0\.001, mean of 2 places on the other axes$/,
  )
})

test('a prompt that helps one model only is named, one that helps both alike is not', () => {
  const { interactions } = bestOnAxes(pairs)
  expect(interactions.map(interactionText)).toEqual([
    expect.stringMatching(
      /^prompt careful instead of short on qa: \+60\.0 for b, \+2\.5 for a; the effects differ by 57\.5 \[.*\], p < 0\.001$/,
    ),
  ])
  const alike = [pairs[0]!, pairs[1]!, scored('a', 'careful', rights(38)), scored('b', 'careful', rights(24))]
  expect(bestOnAxes(alike).interactions).toEqual([])
})

test('runs without axes have data, models and formats, as before', () => {
  const results = pairs.map(({ result: { axes: _, ...result } }) => result)
  const table = runTable({ results })
  expect(varyingAxes(table)).toEqual(['data', 'model'])
  expect(bestOnAxes(pairs.map((pair, index) => ({ ...pair, result: results[index]! })))).toEqual({ best: [], interactions: [] })
  expect(compareModels(pairs.map((pair, index) => ({ ...pair, result: results[index]! })))[0]).not.toHaveProperty('axis')
})

test('places have names that say what they are', () => {
  const { cells } = runTable({ results: [scored('m', 'short', rights(1), { shots: 3, temperature: 0.5 }).result] })
  expect(placeName(cells[0]!.at, ['prompt', 'shots', 'model', 'temperature', 'data'])).toBe('short · 3-shot · m · t=0.5 · qa')
})

test('--fail-under can name a place on any axis', () => {
  const checked = (text: string) => checkMetrics([readMetricCheck(text)], { results: pairs.map(({ result }) => result) })
  expect(checked('careful:accuracy=0.9').map(({ model, passed }) => [model, passed])).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect(checked('b:accuracy=0.1')).toHaveLength(2)
})

test('datasets that stand at one place on the axis of the data must have the same rows', () => {
  const infer_cfg = { prompt_template: { template: '{q}' } }
  const config = (path: string) => ({
    datasets: [
      { abbr: 'a', path: 'x.jsonl', infer_cfg, axes: { data: 'qa' } },
      { abbr: 'b', path, infer_cfg, axes: { data: 'qa' } },
    ],
  })
  expect(() => checkConfig(config('x.jsonl'))).not.toThrow()
  expect(() => checkConfig(config('y.jsonl'))).toThrow(
    /datasets\[1\]\.axes\.data: "qa" is also the place of .*datasets\[0\], which has other rows/,
  )
})
