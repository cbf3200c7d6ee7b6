import { type PyValue, pyStr } from '../../../../src/base/python/index.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import { rowTexts } from '../../texts/row.ts'

/** The judge's letter; for a comparison of two answers also which one it prefers: A was shown first. */
export function gradeText({ details = {} }: Pick<RowRecord, 'details'>, grade: PyValue, index: number): string {
  const letter = pyStr(grade)
  if (details.opponent === undefined || !['A', 'B', 'C'].includes(letter)) return letter
  const { prefers } = rowTexts()
  return `${letter}: ${letter === 'C' ? prefers.neither : (letter === 'A') === (index === 0) ? prefers.this : prefers.other}`
}
