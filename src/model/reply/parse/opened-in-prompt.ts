import type { ReplySyntax } from '../syntax.ts'

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
