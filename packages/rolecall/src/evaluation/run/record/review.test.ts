import { describe, expect, test } from 'vitest'
import { changeAnnotation, isBlank } from './annotation.ts'
import { reviewOf } from './review.ts'

const metric = { kind: 'verdict' as const, unit: 'percent', value: 50, scored: 10 }

describe('annotations', () => {
  test('are changed part by part, and removed by empty parts', () => {
    const noted = changeAnnotation(undefined, { note: 'gold is wrong', tags: [' gold', 'gold', ''] })
    expect(noted).toEqual({ note: 'gold is wrong', tags: ['gold'] })
    const starred = changeAnnotation(noted, { star: true, verdict: 'right' })
    expect(starred).toEqual({ note: 'gold is wrong', tags: ['gold'], star: true, verdict: 'right' })
    const removed = changeAnnotation(starred, { star: false, verdict: null, note: ' ', tags: [] })
    expect(removed).toEqual({})
    expect([isBlank(starred), isBlank(removed)]).toEqual([false, true])
  })
})

describe('a review', () => {
  test('counts where score and reviewer agree, and gives kappa and the corrected metric', () => {
    const row = (score: number, verdict: 'right' | 'wrong') => ({ score, verdict, isOutdated: false })
    const rows = [row(1, 'right'), row(1, 'right'), row(1, 'wrong'), row(0, 'right'), row(0, 'right'), row(0, 'wrong')]
    const review = reviewOf(rows, metric)
    expect(review.counts).toEqual({ bothRight: 2, onlyFirst: 1, onlySecond: 2, bothWrong: 1 })
    expect(review.agreement).toMatchObject({ share: 0.5, kappa: 0, interval: { method: 'wilson' } })
    // Two rows more and one less of ten.
    expect(review.corrected).toBe(60)
  })

  test('leaves out unclear rows, rows without a right or wrong score, and verdicts on other answers', () => {
    const review = reviewOf(
      [
        { score: 1, verdict: 'unclear', isOutdated: false },
        { score: undefined, verdict: 'wrong', isOutdated: false },
        { score: 1, verdict: 'wrong', isOutdated: true },
        { score: 1, star: true, note: 'later', isOutdated: false },
      ],
      metric,
    )
    const counts = { bothRight: 0, onlyFirst: 0, onlySecond: 0, bothWrong: 0 }
    expect(review).toEqual({ annotated: 4, starred: 1, reviewed: 2, unclear: 1, unscored: 1, outdated: 1, counts })
    expect(reviewOf([{ score: 0.5, verdict: 'right', isOutdated: false }], { kind: 'graded' })).toMatchObject({ reviewed: 1, unscored: 1 })
    expect(reviewOf([{ score: 1, verdict: 'right', isOutdated: false }], undefined)).toMatchObject({ reviewed: 1, unscored: 1 })
  })

  test('has no kappa if every verdict is the same, and no corrected metric for means that are no shares', () => {
    const right = { score: 1, verdict: 'right' as const, isOutdated: false }
    expect(reviewOf([right], metric).agreement).toEqual({ share: 1, interval: expect.anything() })
    const wrong = { ...right, verdict: 'wrong' as const }
    expect(reviewOf([wrong], { ...metric, isMeanOfRows: false })).not.toHaveProperty('corrected')
  })
})
