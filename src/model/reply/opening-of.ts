import { textOf } from '../../base/text/index.ts'
import type { Prompt } from '../../prompt/format/format.ts'

/**
 * What the format itself wrote last: it may have opened a thought or a call that the reply goes on with. Marks that a user typed
 * open nothing.
 */
export function openingOf(prompt: Prompt): string {
  if (prompt.kind === 'chat') return ''
  return textOf(prompt.pieces.slice(prompt.pieces.findLastIndex(({ source }) => source.by !== 'format') + 1))
}
