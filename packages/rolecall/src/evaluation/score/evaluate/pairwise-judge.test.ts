import { describe, expect, test } from 'vitest'
import { evaluateAnswers } from './evaluate-answers.ts'
import { evaluatorOf } from './evaluators.ts'
import { type BothOrders, pairwiseFigures } from './pairwise-judge.ts'

const options = { type: 'PairwiseEvaluator', judge_cfg: { type: 'openai' }, prompt_template: { template: '{answer_a}{answer_b}' } }
const pairwise = (more: object = { against: 'base' }) => evaluatorOf({ ...options, ...more }, false, 'mine')
const judged = (first: string, second: string, more?: object) =>
  pairwise(more).judge({ prediction: [first, second], reference: null, row: {} })

describe('two answers compared in both orders', () => {
  test.each([
    ['wins where it is preferred in both', 'A', 'B', 1, ['this', 'this']],
    ['loses where the other is', 'B', 'A', 0, ['other', 'other']],
    ['ties where both say so', 'C', 'C', 0.5, ['tie', 'tie']],
    ['wins by what is said in the end', 'B is shorter.\n\n[[A]]', 'A is fine, but\nVerdict: B', 1, ['this', 'this']],
  ])('an answer %s', (_, first, second, score, preferred) => {
    const { undecided, ...found } = judged(first, second)
    expect(undecided).toBeUndefined()
    expect(found).toMatchObject({ score, detail: { judge: [first, second], preferred } })
  })

  test.each([
    ['the order alone decides', 'A', 'A'],
    ['one is a tie, the other is not', 'C', 'B'],
    ['one cannot be read', 'A', 'I cannot tell.'],
    ['neither can', '?', '?'],
  ])('are not decided where %s', (_, first, second) => {
    expect(judged(first, second)).toMatchObject({ undecided: true })
  })

  test("have other tags if the judge's instructions name others", () => {
    const read = { against: 'base', dict_postprocessor: { type: 'last_verdict', true_tag: 'ONE', false_tag: 'TWO', tie_tag: 'TIE' } }
    expect(judged('ONE', 'TWO', read).score).toBe(1)
    expect(judged('So: tie', 'TIE', read).score).toBe(0.5)
    expect(judged('A', 'B', read).undecided).toBe(true)
  })

  test('give the win rate among decided rows, their number, and the position bias', () => {
    const kept: BothOrders[] = [
      ['this', 'this'],
      ['this', 'this'],
      ['tie', 'tie'],
      ['other', 'other'],
      ['this', 'other'],
      ['this', 'other'],
      ['other', 'this'],
      ['unknown', 'this'],
    ]
    const figures = pairwiseFigures(kept)
    expect(figures.win_rate).toBe(62.5)
    expect(figures.consistency).toBeCloseTo((100 * 4) / 7, 9)
    // Shown first and preferred: 2 of the wins, 1 of the loss, 4 where the order decided. Shown second: 2, 1 and 2.
    expect(figures).toMatchObject({ first_preferred_count: 7, second_preferred_count: 5, inconsistent_count: 3, not_read_count: 1 })
    expect(figures.position_bias).toBeCloseTo((100 * 2) / 14, 9)
    expect(figures).toMatchObject({ win_count: 2, tie_count: 1, loss_count: 1 })
  })

  test('show the bias even if nothing is decided', () => {
    expect(pairwiseFigures([['this', 'other']])).toMatchObject({ consistency: 0, position_bias: 100 })
    expect(pairwiseFigures([['this', 'other']]).win_rate).toBeUndefined()
    expect(pairwiseFigures([['unknown', 'other']])).not.toHaveProperty('consistency')
  })

  test('a judge that ignores the order has no bias, whichever model wins', () => {
    for (const winner of ['this', 'other', 'tie'] as const) expect(pairwiseFigures([[winner, winner]]).position_bias).toBe(0)
  })

  test('describe their metrics', () => {
    expect(pairwise()).toMatchObject({ metric: 'win_rate', kind: 'graded', unit: 'percent', range: [0, 100] })
    expect(pairwise().beside).toEqual([
      { metric: 'consistency', unit: 'percent' },
      { metric: 'position_bias', unit: 'percent', direction: 'lower' },
    ])
    const { figures } = evaluateAnswers(
      pairwise(),
      [
        ['A', 'B'],
        ['A', 'A'],
      ],
      [null, null],
    )
    expect(figures.win_rate).toBe(100)
  })

  test('need exactly one opponent', () => {
    const problem =
      'mine › eval_cfg.evaluator: name what answers are compared with: `against` (a model) or `against_column`, one of the two'
    expect(() => pairwise({})).toThrow(problem)
    expect(() => pairwise({ against: 'base', against_column: 'other' })).toThrow(problem)
    expect(pairwise({ against_column: 'other' }).asks!.against).toEqual({ column: 'other' })
  })
})
