import { PromptError } from '@rolecall/core/internal/errors'

/** The error for a prompt that does not fit into the context of a model. */
export function promptTooLong(where: string, tokens: number, context: number): PromptError {
  return new PromptError('too-long', {
    where,
    problem: `the prompt has ${tokens} tokens, but the model's context is ${context}`,
    fix: `set max_seq_len: ${context} to drop examples, or shorten the prompt`,
  })
}
