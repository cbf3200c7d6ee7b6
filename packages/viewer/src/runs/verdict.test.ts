import { describe, expect, test } from 'vitest'
import { verdictOf } from '../../../rolecall/src/server/viewer/rows/row-verdict.ts'
import { scoreText } from './score-text.ts'

const of = (score: number | undefined, kind: 'verdict' | 'graded' | 'quantity', ...outcomes: Parameters<typeof verdictOf>[0]['outcomes']) =>
  verdictOf({ score, outcomes, failed: false }, { kind, direction: 'higher' })

describe('a row', () => {
  test('is right or wrong only if its score is a verdict', () => {
    expect(of(1, 'verdict')).toBe('right')
    expect(of(0, 'verdict')).toBe('wrong')
    expect(of(1, 'quantity')).toBe('scored')
    expect(of(0, 'graded')).toBe('scored')
    expect(verdictOf({ score: 1, outcomes: [], failed: false }, undefined)).toBe('scored')
  })

  test('with partially correct answers is neither', () => {
    expect(of(0.5, 'verdict')).toBe('scored')
  })

  test('with an unparsed reply is not called wrong', () => {
    for (const outcome of ['not-found', 'cut', 'refused', 'empty'] as const) expect(of(0, 'verdict', outcome)).toBe('unread')
    expect(of(1, 'verdict', 'not-found')).toBe('right')
  })

  test('of which only some of several replies are unparsed has its score', () => {
    expect(of(0, 'verdict', 'answered', 'not-found')).toBe('wrong')
    expect(of(0, 'graded', 'answered', 'cut')).toBe('scored')
    expect(of(0, 'graded', 'cut', 'not-found')).toBe('unread')
  })

  test('that a judge did not decide, that failed, or that has no score says so', () => {
    expect(of(undefined, 'verdict', 'not-decided')).toBe('not-decided')
    expect(verdictOf({ score: undefined, outcomes: ['failed'], failed: true }, undefined)).toBe('failed')
    expect(of(undefined, 'verdict')).toBe('none')
    expect(of(Number.NaN, 'quantity')).toBe('none')
  })
})

test('the score of a row has the unit of its metric', () => {
  const direction = 'higher'
  expect(scoreText(0.25, { kind: 'graded', unit: 'percent', direction })).toBe('25.0 %')
  expect(scoreText(0.25, { kind: 'graded', unit: 'percent', direction, isMeanOfRows: false })).toBe('0.25')
  expect(scoreText(1.5, { kind: 'quantity', unit: 'nats per token', direction: 'lower' })).toBe('1.5000 nats per token')
  expect(scoreText(0.5, undefined)).toBe('0.50')
})
