import type { Row } from '@rolecall/core/internal/conversation'

/** Why a row cannot be read in this format. */
export type Unfit = { problem: string; fix: string }

/** A layout of rows in files, converted to the columns that templates use. */
export type RowFormat = {
  /** One sentence for the docs. */
  does: string
  /** The resulting columns, in addition to the file's. */
  columns: readonly string[]
  read(row: Row): Row | Unfit
}

export function isUnfit(result: Row | Unfit): result is Unfit {
  return !(result instanceof Map) && 'problem' in result && 'fix' in result && Object.keys(result).length === 2
}
