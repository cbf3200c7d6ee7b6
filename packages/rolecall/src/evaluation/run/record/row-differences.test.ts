import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../../proof/testing/processor-timer.ts'
import { showComparison } from '../../../cli/compare/show-comparison.ts'
import { compareRows, pairRows } from './compare-rows.ts'
import { noOutcomes } from './outcome.ts'
import { differencesText } from './row-differences.ts'
import type { PairResult, RowRecord } from './run-record.ts'

const row = (id: number, given: Partial<RowRecord> = {}): RowRecord => ({
  id,
  key: 'k',
  row_hash: String(id),
  gold: 'B',
  score: 1,
  details: { pred: 'B', answer: 'B', correct: true },
  prompt_hash: 'p',
  prediction: 'The answer is B',
  tokens: { prompt: 1, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 1,
  ...given,
})

const result = (answers: Partial<PairResult['answers']>): PairResult => ({
  ...{ model: 'tiny', dataset: 'text', metric: 'accuracy', kind: 'verdict', unit: 'percent', direction: 'higher' },
  answers: { ...noOutcomes(), ...answers },
  ...{ rows: 2, failed: 0, skipped: 0, tokens: { prompt: 0, reused: 0, reply: 0 }, cut: 0, examplesDropped: 0, seconds: 1, notes: [] },
})

const compared = (
  first: readonly RowRecord[],
  second: readonly RowRecord[],
  results = [result({ answered: 2 }), result({ answered: 2 })],
) =>
  compareRows({
    dataset: 'text',
    models: [{ model: 'tiny' }, { model: 'tiny' }],
    results: [results[0], results[1]],
    paired: pairRows(first, second),
  })

const what = (first: readonly RowRecord[], second: readonly RowRecord[]) => {
  const { differs, rows } = compared(first, second)
  return [differs.from, differencesText(differs, rows)]
}

describe('the differences between two runs', () => {
  const before = [row(0), row(1)]

  test('are nothing, only the scoring, answers, or prompts and their consequences', () => {
    expect(what(before, before)).toEqual(['nothing', 'nothing differs: prompts, answers and scores are the same'])
    expect(what(before, [row(0), row(1, { details: { pred: 'C' }, score: 0 })])).toEqual([
      'scoring',
      'only the scoring differs (1 of 2 rows): prompts and answers are the same',
    ])
    expect(what(before, [row(0), row(1, { prediction: 'The answer is C', details: { pred: 'C' }, score: 0 })])).toEqual([
      'answers',
      'answers differ (1 of 2 rows): prompts are the same',
    ])
    expect(what(before, [row(0, { prompt_hash: 'q', prediction: 'B' }), row(1, { prediction: 'B' })])).toEqual([
      'prompts',
      'prompts differ (1 of 2 rows), and answers in 2 of 2 rows, in 1 of them to the same prompt',
    ])
  })

  test('include an answer that could not be read before', () => {
    const unread = row(1, { details: { pred: 'B' }, outcome: 'not-found' })
    expect(compared(before, [row(0), unread])).toMatchObject({ differs: { from: 'scoring', scoring: 1 }, otherwise: [1] })
  })

  test('are shown row by row', () => {
    const [first, second] = [row(1, { prediction: 'one\ntwo' }), row(1, { prediction: 'one\nthree', details: { pred: 'C' }, score: 0 })]
    const comparison = compared([first], [second], [result({ answered: 2 }), result({ answered: 1, notFound: 1 })])
    const shown = showComparison({ comparison, examples: [{ change: 'worse', differs: ['answer', 'reading', 'score'], first, second }] })
    expect(shown).toContain('answers differ (1 of 1 rows): prompts are the same')
    expect(shown).toContain(`  worse row 1: another answer, reading, score
    gold    B
    answer
      one
    - two
    + three
    read    B → C
    score   1 → 0`)
    expect(shown).toMatch(/answers +answered +not found.*\nfirst +2 +–.*\nsecond +1 +1/)
  })
})

test('duplicate rows are paired in order, as fast as others', () => {
  const alike = Array.from({ length: 80_000 }, (_, id) => row(id, { row_hash: 'same' }))
  const elapsed = processorTimer()
  const { pairs, onlyInFirst } = pairRows(alike, alike.slice(1))
  expect(elapsed()).toBeLessThan(2500)
  expect(onlyInFirst).toBe(1)
  expect(pairs.at(-1)).toMatchObject({ first: { id: 79_998 }, second: { id: 79_999 } })
})
