import { PromptError } from '@rolecall/core/internal/errors'
import type { UsedColumn } from './file-columns.ts'

/** The answers that settle what a column is for, by flag. */
export type RowFlags = {
  question?: string
  answer?: string
  choices?: string
  context?: string
  tools?: string
  unused?: string
  labels?: string
  answerIs?: AnswerIs
  prompt?: string
}

/** How a gold answer names its choice. */
export type AnswerIs = 'letter' | 'text' | '0' | '1'
export const answerForms: readonly AnswerIs[] = ['letter', 'text', '0', '1']

/** The use of columns cannot be decided from the rows; `flag` is the flag that decides it. */
export class UnclearRows extends PromptError {
  /** The columns, as far as their use is known. */
  uses: readonly UsedColumn[] = []

  constructor(
    readonly flag: keyof RowFlags,
    where: string,
    problem: string,
    fix: string,
  ) {
    super('unclear-rows', { where, problem, fix })
  }
}

/** The flag as it is written: `--answer-is`. */
export function flagName(flag: keyof RowFlags): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
