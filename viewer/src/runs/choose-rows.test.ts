import { describe, expect, test } from 'vitest'
import { chooseRows, compareScores, filtersFor } from './choose-rows.ts'

const verdict = { kind: 'verdict', direction: 'higher' } as const
const perplexity = { kind: 'quantity', direction: 'lower' } as const

const column = { from: 0, ids: [0, 1, 2, 3], scores: [1, 0, 2, null], failed: [3], outcomes: { 'not-found': [1], failed: [3] } }
const other = new Map([
  [0, 2],
  [1, 0],
  [2, 1],
])

describe('rows of a run', () => {
  const chosen = (filter: Parameters<typeof chooseRows>[1]['filter'], scored: Parameters<typeof chooseRows>[1]['scored']) =>
    chooseRows(column, { filter, order: 'number', scored, other })

  test('are right or wrong only where scores are verdicts', () => {
    expect(chosen('right', verdict)).toEqual([0])
    expect(chosen('wrong', verdict)).toEqual([1, 2])
    expect([chosen('right', perplexity), chosen('wrong', perplexity), chosen('right', undefined)]).toEqual([[], [], []])
    expect(filtersFor(column, perplexity, false)).toEqual(['all', 'error', 'not-found'])
    expect(filtersFor(column, verdict, false)).toEqual(['all', 'right', 'wrong', 'error', 'not-found'])
  })

  test('are better where their figure went the right way', () => {
    expect([chosen('better', verdict), chosen('worse', verdict)]).toEqual([[2], [0]])
    expect([chosen('better', perplexity), chosen('worse', perplexity)]).toEqual([[0], [2]])
    expect([chosen('changed', undefined), chosen('better', undefined)]).toEqual([[0, 2], []])
    expect(filtersFor(column, undefined, true)).toEqual(['all', 'error', 'changed', 'not-found'])
  })

  test('are found by what became of their answer', () => {
    expect([chosen('not-found', verdict), chosen('error', verdict)]).toEqual([[1], [3]])
  })

  test('are counted each way in a comparison, and tested where they are verdicts', () => {
    expect(compareScores(column, other, perplexity)).toMatchObject({ rows: 3, better: 1, worse: 1, difference: 0, mcnemar: undefined })
    expect(compareScores(column, other, verdict)!.mcnemar).toBeDefined()
    expect(compareScores(column, other, undefined)).not.toHaveProperty('better')
  })
})
