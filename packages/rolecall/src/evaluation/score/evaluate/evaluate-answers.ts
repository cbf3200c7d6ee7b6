import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { Evaluator, Figures } from './evaluator.ts'

/** The result of an evaluator: metrics over all answers, a score and details for each. */
export type Evaluation = { figures: Figures; scores: number[]; details: Record<string, PyValue>[] }

/**
 * Evaluates existing answers. Every row has its details.
 *
 * @example
 * const judged = evaluateAnswers(evaluatorOf({ type: 'EMEvaluator' }, true, 'mine'), ['A cat.', 'dog'], [['cat'], ['bird']])
 * judged.figures // => { score: 50 }
 */
export function evaluateAnswers(
  evaluator: Evaluator<unknown>,
  predictions: readonly PyValue[],
  references: readonly PyValue[],
  rows: readonly Row[] = [],
): Evaluation {
  const isEmpty = predictions.length === 0 && references.length === 0
  if (isEmpty && evaluator.ofNothing) return { figures: { ...evaluator.ofNothing }, scores: [], details: [] }
  if (predictions.length !== references.length || isEmpty) {
    throw new PromptError('unequal-lengths', {
      where: 'the answers',
      problem: `there are ${predictions.length} answers and ${references.length} gold answers`,
      fix: 'give one gold answer for each answer, and at least one',
    })
  }
  const judged = predictions.map((prediction, index) =>
    evaluator.judge({ prediction, reference: references[index]!, row: rows[index] ?? {} }),
  )
  const scores = judged.map(({ score, undecided }) => (undecided ? Number.NaN : score))
  return {
    figures: figuresOf(
      evaluator,
      scores,
      judged.map(({ keep }) => keep),
    ),
    scores,
    details: judged.map(({ detail }) => detail),
  }
}

/** The metrics of judged rows; `computed` is what the evaluator's program over all rows left. */
export function figuresOf(evaluator: Evaluator<unknown>, scores: readonly number[], kept: readonly unknown[], computed?: string): Figures {
  if (evaluator.summarise) return evaluator.summarise(kept, computed)
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  return { [evaluator.metric]: evaluator.unit === 'percent' ? 100 * mean : mean }
}
