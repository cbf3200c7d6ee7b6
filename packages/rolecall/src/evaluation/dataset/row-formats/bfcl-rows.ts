import { PromptError } from '@rolecall/core/internal/errors'
import { bfclRow } from '../bfcl/bfcl-row.ts'
import type { RowFormat } from './row-format.ts'

/** https://gorilla.cs.berkeley.edu/leaderboard: questions with functions, and the expected calls. */
export const bfcl: RowFormat = {
  does: 'the Berkeley Function Calling Leaderboard’s rows: what is asked as chat `messages`, its functions as `tools` for the model and as `functions` for scoring, the `category` from its id',
  columns: ['id', 'category', 'messages', 'tools', 'functions', 'ground_truth'],
  read(row) {
    try {
      return bfclRow(row)
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      return { problem: `${error.where}: ${error.problem}`, fix: error.fix }
    }
  },
}
