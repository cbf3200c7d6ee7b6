import { PromptError } from '@rolecall/core/internal/errors'
import type { GenerateOptions, LanguageModel, ModelReply } from '../model/language-model/language-model.ts'

// Agents shorten their conversation when a server says that it is too long, and they recognise that by the words of the API's own vendor.

/** The code of errors that say that a prompt does not fit. */
export const overflowCode = 'context_length_exceeded'

/** OpenAI's words. */
export function openaiOverflow(most: number, prompt: string): string {
  return `this model's maximum context length is ${most} tokens, but the prompt has ${prompt} tokens`
}

/** Anthropic's words, with the numbers of the error. */
export function anthropicOverflow({ message }: { readonly message: string }): string {
  const { prompt, most } = lengthsIn(message)
  const numbers = prompt === undefined || most === undefined ? message : `${prompt} tokens > ${most} maximum`
  return `prompt is too long: ${numbers}`
}

/** The length of a prompt and the context, as servers write them: ours, vLLM's, SGLang's, llama.cpp's. */
function lengthsIn(message: string): { prompt?: number; most?: number } {
  const most = Number(/(?:maximum|context)[^.\d]*(\d+)/i.exec(message)?.[1] ?? Number.NaN)
  if (Number.isNaN(most)) return {}
  // What is longer than the context is the prompt, or the prompt and the expected reply.
  const longer = [...message.matchAll(/\d+/g)].map(([digits]) => Number(digits)).filter((length) => length > most)
  return longer.length === 0 ? { most } : { prompt: Math.max(...longer), most }
}

/**
 * Generates a reply. A server that refuses a prompt because the longest reply that was asked for does not fit beside it (vLLM) is asked for
 * what fits: agents want up to 32,000 tokens with every request.
 */
export async function generateWithin(
  model: Pick<LanguageModel, 'generate'>,
  prompt: Parameters<LanguageModel['generate']>[0],
  options: GenerateOptions,
): Promise<ModelReply> {
  try {
    return await model.generate(prompt, options)
  } catch (error) {
    const room = error instanceof PromptError && error.code === 'refused' ? roomIn(error.problem) : undefined
    if (room === undefined || room >= options.maxTokens) throw error
    return await model.generate(prompt, { ...options, maxTokens: room })
  }
}

/** The tokens that are left for the reply, in vLLM's words; undefined if the prompt alone is too long. */
function roomIn(problem: string): number | undefined {
  const context = /maximum context length is (\d+) tokens/i.exec(problem)?.[1]
  const prompt = /\((\d+) in (?:the|your) (?:messages|prompt)|has (\d+) input tokens/i.exec(problem)
  const room = Number(context) - Number(prompt?.[1] ?? prompt?.[2])
  return room > 0 ? room : undefined
}
