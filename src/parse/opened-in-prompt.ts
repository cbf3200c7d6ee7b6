import type { Prompt } from '../format/format.ts'
import { textOf } from '../text/index.ts'
import type { ReplySyntax } from './syntax.ts'

/**
 * What the format itself wrote last: it may have opened a thought or a call that the reply goes on with. Marks that a user typed
 * open nothing.
 */
export function openingOf(prompt: Prompt): string {
  if (prompt.kind === 'chat') return ''
  return textOf(prompt.pieces.slice(prompt.pieces.findLastIndex(({ source }) => source.by !== 'format') + 1))
}

/**
 * What the prompt has already written of the reply: all that follows the last mark of a turn. Templates open `<think>` there,
 * and a started answer goes on there.
 * @example openedInPrompt('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n', replySyntaxes.hermes) // => 'assistant\n<think>\n'
 */
export function openedInPrompt(prompt: string, { turns, ends }: ReplySyntax): string {
  const start = Math.max(
    0,
    ...[...turns, ...ends].map((mark) => {
      const at = prompt.lastIndexOf(mark)
      return at < 0 ? 0 : at + mark.length
    }),
  )
  return prompt.slice(start)
}
