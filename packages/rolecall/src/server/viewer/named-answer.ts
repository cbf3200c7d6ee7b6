import { PromptError } from '@rolecall/core/internal/errors'

/** What a thread of the viewer computed, as JSON, or why it could not. */
export type NamedAnswer =
  | { kind: 'answered'; json: string }
  | { kind: 'prompt-error'; code: string; where: string; problem: string; fix: string }
  | { kind: 'failed'; problem: string }

/** An error as a thread posts it. */
export function failedAnswer(error: unknown): NamedAnswer {
  if (!(error instanceof PromptError)) return { kind: 'failed', problem: String(error) }
  const { code, where, problem, fix } = error
  return { kind: 'prompt-error', code, where, problem, fix }
}
