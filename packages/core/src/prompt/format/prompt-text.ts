import { textOf } from '../../base/text/index.ts'
import type { Prompt } from './format.ts'

/**
 * A prompt as one text: a completion's text, or a chat's messages with their roles, for display.
 *
 * @example
 * promptText({ kind: 'chat', messages: [{ role: 'user', content: [] }], stop: [], notes: [] }) // => 'user: '
 */
export function promptText(prompt: Prompt): string {
  switch (prompt.kind) {
    case 'completion':
      return textOf(prompt.pieces)
    case 'chat':
      return prompt.messages.map(({ role, content }) => `${role}: ${textOf(content)}`).join('\n')
    default:
      return prompt satisfies never
  }
}
