import type { Row } from '../../../prompt/conversation/row.ts'

/** Why a row cannot be read in this way. */
export type Unfit = { problem: string; fix: string }

/** A way in which files have their rows, turned into the columns that templates show. */
export type RowFormat = {
  /** One sentence for the docs. */
  does: string
  /** The columns that come out, besides those that the file has. */
  columns: readonly string[]
  read(row: Row): Row | Unfit
}

export function isUnfit(result: Row | Unfit): result is Unfit {
  return !(result instanceof Map) && 'problem' in result && 'fix' in result && Object.keys(result).length === 2
}
