import { PromptError } from '@rolecall/core/internal/errors'
import type { Problem } from './contract.ts'

/** An error as data. */
export function problemOf(error: unknown): Problem {
  if (error instanceof PromptError) {
    const { where, problem, fix, code } = error
    return { where, problem, fix, code }
  }
  return { where: '', problem: error instanceof Error ? error.message : String(error), fix: '', code: 'error' }
}
