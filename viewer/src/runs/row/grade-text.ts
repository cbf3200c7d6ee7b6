import { type PyValue, pyStr } from '../../../../src/base/python/index.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import { rowWords } from '../../words/row.ts'

/** The judge's letter; where it compared two answers, also which of them it prefers: A is the one that was shown first. */
export function gradeText({ details = {} }: Pick<RowRecord, 'details'>, grade: PyValue, index: number): string {
  const letter = pyStr(grade)
  if (details.opponent === undefined || !['A', 'B', 'C'].includes(letter)) return letter
  const { prefers } = rowWords()
  return `${letter}: ${letter === 'C' ? prefers.neither : (letter === 'A') === (index === 0) ? prefers.this : prefers.other}`
}
