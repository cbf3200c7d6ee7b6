import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explain } from './explain.ts'
import { explainGroup, type GroupMember, type GroupSide } from './explain-group.ts'
import { matchDatasets } from './match-datasets.ts'
import type { WhySide } from './why-row.ts'

function side(scores: readonly (number | undefined)[]): WhySide {
  return {
    name: 'run',
    model: 'm',
    dataset: 'd',
    metric: 'acc',
    setup: { harness: 'tool', rows: {}, prompt: {}, sampling: {}, scoring: { acc: {} } },
    count: scores.length,
    row: (place) => ({
      id: place,
      keys: { doc_hash: String(place) },
      isExtracted: false,
      prompt: `Q${place}`,
      reply: String(scores[place]),
      score: scores[place],
    }),
  }
}

type Scores = readonly number[]
const mean = (scores: Scores) => scores.reduce((sum, one) => sum + one, 0) / scores.length

/** Groups of datasets by name, explained like runs. */
function group(
  first: Readonly<Record<string, Scores>>,
  second: Readonly<Record<string, Scores>>,
  reported: readonly (number | undefined)[] = [],
) {
  const sideOf = (name: string, datasets: Readonly<Record<string, Scores>>, index: number): GroupSide => ({
    name,
    model: 'm',
    group: 'g',
    datasets: new Map(Object.entries(datasets).map(([dataset, scores]) => [dataset, { score: mean(scores), rows: scores.length }])),
    reported: reported[index],
  })
  const members = Object.keys(first).flatMap((dataset): GroupMember[] =>
    second[dataset] ? [{ first: dataset, second: dataset, report: explain(side(first[dataset]!), side(second[dataset])) }] : [],
  )
  return explainGroup(sideOf('one', first, 0), sideOf('other', second, 1), members)
}

const shown = (report: ReturnType<typeof group>) => report.causes.map(({ step, cause, effect }) => `${step}: ${cause} ${effect.toFixed(3)}`)

describe('groups', () => {
  const datasets = { law: [1, 1, 1, 1, 1, 1], art: [0, 0] }

  test('a mean of datasets and one of rows differ in their weighting', () => {
    const report = group(datasets, datasets, [0.5, 0.75])
    expect([report.first.weighting, report.second.weighting]).toEqual(['datasets', 'rows'])
    expect(shown(report)).toEqual(['gold and metric: weighting 0.250'])
    expect(report.causes[0]!.detail).toBe('mean of datasets → mean of rows')
  })

  test('the causes of each dataset count with its weight', () => {
    const report = group(datasets, { law: [1, 1, 1, 0, 0, 0], art: [1, 0] }, [0.75, 0.5])
    expect([report.first.weighting, report.second.weighting]).toEqual(['rows', 'rows'])
    expect(shown(report)).toEqual(['noise: sampling -0.250'])
    expect(report.causes[0]!.datasets).toMatchObject([
      { dataset: 'law', effect: -0.375, lost: [3, 4, 5] },
      { dataset: 'art', effect: 0.125, gained: [0] },
    ])
  })

  test('a dataset that only one run has, rows that one lacks, and weights that are unknown', () => {
    expect(shown(group(datasets, { law: datasets.law }))).toEqual(['rows: dataset subset 0.500'])
    expect(shown(group(datasets, datasets, [0.6, 0.5]))).toEqual(['gold and metric: weighting -0.100'])
    expect(shown(group(datasets, { law: [1, 1], art: [0, 0] }, [0.75, 0.5]))).toEqual(['rows: row subset -0.250'])
  })

  test('a group without a reported score is averaged like the other, with a note', () => {
    const report = group(datasets, datasets, [undefined, 0.75])
    expect(report.difference).toBe(0)
    expect(report.notes).toEqual(['one reports no score of g: it is the mean of rows'])
  })

  test('the parts add up to the difference', () => {
    const scores = fc.array(fc.constantFrom(0, 1, 0.5), { minLength: 1, maxLength: 6 })
    const datasets = fc.record({ a: scores, b: scores, c: scores }, { requiredKeys: ['a'] })
    const reported = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined })
    fc.assert(
      fc.property(datasets, datasets, reported, reported, fc.boolean(), (first, second, one, other, isMicro) => {
        const rows = Object.values(first).flat()
        const report = group(first, second, [isMicro ? mean(rows) : one, other])
        const sum = report.causes.reduce((total, { effect }) => total + effect, 0)
        expect(sum).toBeCloseTo(report.difference, 9)
      }),
      { numRuns: 100 },
    )
  })
})

test('datasets are matched by name, else by the words that tell them apart', () => {
  expect(matchDatasets(['a', 'b'], ['b', 'c'])).toEqual([['b', 'b']])
  expect(matchDatasets(['mmlu_world_history', 'mmlu_law'], ['lukaemon_mmlu_law', 'lukaemon_mmlu_world_history'])).toEqual([
    ['mmlu_world_history', 'lukaemon_mmlu_world_history'],
    ['mmlu_law', 'lukaemon_mmlu_law'],
  ])
  expect(matchDatasets(['x'], ['y_z'])).toEqual([])
  expect(matchDatasets(['a_law', 'a_art'], ['b_law', 'b-law', 'b_art'])).toEqual([['a_art', 'b_art']])
  // Names are split once, not once for each pair of them.
  const many = (prefix: string) => Array.from({ length: 20_000 }, (_, number) => `${prefix}_${number}`)
  expect(matchDatasets(many('a'), many('b'))).toHaveLength(20_000)
})
