import { stripStart } from '@rolecall/core/internal/python'
import { guardedPattern } from '../../../python/regex/index.ts'

/** An answer without `<think>…</think>`, as many of the reference's postprocessors remove it. */
export function withoutThinkElements(text: string): string {
  return guardedPattern('<think>.*?</think>', { dotAll: true }).without(text)
}

/** The same, also without the text before an unopened closing tag. */
export function afterThinking(text: string): string {
  const rest = withoutThinkElements(text)
  const end = rest.lastIndexOf('</think>')
  return end < 0 ? rest : stripStart(rest.slice(end + '</think>'.length))
}

/** The same, and empty if the model has not finished thinking. */
export function afterFinishedThinking(text: string): string {
  if (!text.includes('<think>')) return text
  return text.includes('</think>') ? withoutThinkElements(text) : ''
}

/** End-of-text tokens that some servers leave in the reply. */
export function withoutEndTokens(text: string): string {
  return text.replaceAll('<|endoftext|>', '').replaceAll('<|im_end|>', '')
}
