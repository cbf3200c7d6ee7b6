import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import type { LanguageModel } from './language-model.ts'

// Not every model can score text. The messages and checks for that are here.

/** The scoring function of a model; throws if it has none. `who` is the user's name for the model. */
export function scorerOf(model: LanguageModel, where: string, who = model.name): NonNullable<LanguageModel['score']> {
  if (model.score) return model.score.bind(model)
  throw cannotScore(where, `${who} does not report how likely a text is`, 'use generation (GenInferencer)')
}

/** The error for a model that takes messages: no API scores messages. */
export function cannotScoreMessages(where: string, who = 'a chat model'): PromptError {
  const problem = `${who} takes messages and does not return their likelihood`
  return cannotScore(where, problem, 'use generation (GenInferencer), or use a model with a text format')
}

/** The error for a model in batches, whose requests are only for replies. */
export function cannotScoreBatches(where: string, title: string): PromptError {
  return cannotScore(
    where,
    `${title} answers requests for replies, and perplexity needs to ask the server how it scores`,
    'leave out --batch (batch), or use generation (GenInferencer)',
  )
}

/** The error for a server that failed every way of scoring. */
export function cannotScoreAt(where: string, server: string, reasons: readonly string[]): PromptError {
  return cannotScore(
    where,
    `${server} does not report how likely a given text is: ${reasons.join('; ')}`,
    'serve the model with vLLM or with `rolecall serve`, or use generation (GenInferencer)',
  )
}

/** A prompt that can be scored: text, not messages. */
export function asCompletion(prompt: Prompt, where: string): Prompt & { kind: 'completion' } {
  if (prompt.kind === 'completion') return prompt
  throw cannotScoreMessages(where)
}

/** Whether an error says that the model cannot score, so that the caller may do without. */
export function isCannotScore(error: unknown): boolean {
  return error instanceof PromptError && error.code === code
}

const code = 'cannot-score'

function cannotScore(where: string, problem: string, fix: string): PromptError {
  return new PromptError(code, { where, problem, fix })
}
