import { type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { rowTexts } from '../../texts/row.ts'

/** The judge's letter; for a comparison of two answers also which one it prefers: A was shown first. */
export function gradeText({ details = {} }: Pick<RowRecord, 'details'>, grade: PyValue, index: number): string {
  const letter = pyStr(grade)
  if (details.opponent === undefined || !['A', 'B', 'C'].includes(letter)) return letter
  const { prefers } = rowTexts()
  return `${letter}: ${letter === 'C' ? prefers.neither : (letter === 'A') === (index === 0) ? prefers.this : prefers.other}`
}
