import type { Row } from '@rolecall/core/internal/conversation'
import { dictGet, dictHas, type PyValue } from '@rolecall/core/internal/python'

/** The columns that determine what is compared, if rows have them: `choices` of CLPInferencer, `cont` of LLInferencer. */
export function comparedColumns(row: Row): PyValue {
  return ['choices', 'cont'].filter((column) => dictHas(row, column)).map((column) => [column, dictGet(row, column) ?? null])
}
