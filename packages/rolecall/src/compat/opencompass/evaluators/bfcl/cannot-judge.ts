import { PromptError } from '@rolecall/core/internal/errors'

/** The exception that Python raises where the leaderboard's checker stops. */
export type Raised = 'KeyError' | 'TypeError' | 'AttributeError' | 'IndexError'

/**
 * A function's documentation, or an answer, that the leaderboard's checker cannot handle. There it aborts the whole run; here
 * the row has no score.
 */
export class CannotJudge extends PromptError {
  constructor(
    readonly raises: Raised,
    where: string,
    problem: string,
  ) {
    super('cannot-judge', {
      where,
      problem: `${problem}, where the leaderboard's checker stops (${raises})`,
      fix: 'correct the function or its answer, or leave the row out',
    })
  }
}
