import { expect, test } from 'vitest'
import type { WhyView } from '../../../../rolecall/src/server/viewer/viewer-data.ts'
import type { WhyCause } from '../../../../rolecall/src/workbench/why/cause-ledger.ts'
import type { WhyReport } from '../../../../rolecall/src/workbench/why/explain.ts'
import { causeKey, listedRows, tagKind } from './listed-rows.ts'

const subject = { name: 'run', model: 'm', dataset: 'd', metric: 'acc', harness: 'tool', rows: 4, scored: 4 }
const noRows = { detail: '', effect: 0, gained: [], lost: [], changed: [], unmatched: [], onlySecond: [], replies: {} }
const cut: WhyCause = {
  ...noRows,
  step: 'sampling',
  cause: 'max tokens',
  gained: [2],
  lost: [1],
  changed: [1, 2, 3],
  replies: { cut: [1] },
}
const subset: WhyCause = { ...noRows, step: 'rows', cause: 'row subset', unmatched: [5], onlySecond: [1] }

function view(report: Partial<WhyReport> = {}): WhyView {
  return {
    report: {
      first: subject,
      second: subject,
      difference: 0,
      direction: 'higher',
      common: { rows: 3, changed: 2, difference: 0 },
      // The second run numbers row 3 of the first 7, and has a row 1 that the first does not have.
      join: { matched: 3, onlyFirst: [5], onlySecond: [9], ambiguous: [2], by: {}, renumbered: { 1: 8, 3: 7 } },
      causes: [cut, subset],
      samePromptOtherAnswer: [3],
      sameAnswerOtherVerdict: [],
      notes: [],
      ...report,
    },
    metrics: [['acc'], ['acc']],
    ids: [
      [1, 2, 3, 5],
      [1, 2, 7, 8, 9],
    ],
  }
}

test('the rows of a cause have their places in both runs and the filters that count them', () => {
  expect(listedRows(view(), causeKey(cut))).toEqual([
    { id: 1, places: [0, 3], change: 'worse', kinds: ['worse', 'other reply', tagKind('cut')] },
    { id: 2, places: [1, 1], change: 'better', kinds: ['better', 'other reply'] },
    { id: 3, places: [2, 2], change: 'other reply', kinds: ['other reply'] },
  ])
  // Row 1 of the second run is not row 1 of the first.
  expect(listedRows(view(), causeKey(subset))).toEqual([
    { id: 1, places: [undefined, 0], change: 'one side only', kinds: ['one side only'] },
    { id: 5, places: [3, undefined], change: 'one side only', kinds: ['one side only'] },
  ])
})

test('lower scores are better where the metric says so', () => {
  expect(listedRows(view({ direction: 'lower' }), causeKey(cut))!.map(({ change }) => change)).toEqual(['better', 'worse', 'other reply'])
})

test('joined, unmatched, ambiguous and same rows are lists; an unknown list is undefined', () => {
  const ids = (key: string) => listedRows(view(), key)?.map(({ id, change }) => `${id} ${change}`)
  expect(ids('matched')).toEqual(['1 worse', '2 better', '3 other reply'])
  expect(ids('only-first')).toEqual(['5 one side only'])
  expect(ids('only-second')).toEqual(['9 one side only'])
  expect(ids('ambiguous')).toEqual(['2 better'])
  expect(ids('same-prompt')).toEqual(['3 other reply'])
  expect(ids('same-answer')).toEqual([])
  expect(ids('constructor')).toBeUndefined()
})
