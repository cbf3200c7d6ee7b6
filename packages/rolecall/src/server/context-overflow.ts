import type { ApiError } from './api-error.ts'

// Agents shorten their conversation when a server says that it is too long, and they recognise that by the words of the API's own vendor.

/** The code of errors that say that a prompt does not fit. */
export const overflowCode = 'context_length_exceeded'

/** OpenAI's words. */
export function openaiOverflow(most: number, prompt: string): string {
  return `this model's maximum context length is ${most} tokens, but the prompt has ${prompt} tokens`
}

/** Anthropic's words, with the numbers of the error. */
export function anthropicOverflow({ message }: Pick<ApiError, 'message'>): string {
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
