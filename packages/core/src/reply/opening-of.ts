import { textOf } from '../base/text/index.ts'
import type { Prompt } from '../prompt/format/format.ts'

/**
 * The end of the prompt that the format itself wrote: it may have opened a thought or a call that the reply continues. Marks typed by a
 * user open nothing.
 */
export function openingOf(prompt: Prompt): string {
  if (prompt.kind === 'chat') return ''
  return textOf(prompt.pieces.slice(prompt.pieces.findLastIndex(({ source }) => source.by !== 'format') + 1))
}
