import { type Conversation, isLoose } from '../../conversation/conversation.ts'
import type { Piece } from '../../text/index.ts'
import { textOf } from '../../text/index.ts'
import { colors, printable } from '../terminal.ts'

/** The conversation between the two templates, as document 002 prints its PromptList: who says what, before any format has written it. */
export function showConversation(conversation: Conversation): string[] {
  const lines =
    conversation.kind === 'text'
      ? [quoted(conversation.content)]
      : conversation.sections.flatMap(({ items }) =>
          items.map((item) => {
            if (isLoose(item)) return quoted(item.loose)
            const { role, fallbackRole, name, content = [] } = item
            const said = Object.entries({
              role: quote(role),
              fallback_role: fallbackRole && quote(fallbackRole),
              name: name && quote(name),
              prompt: quoted(content),
            })
            return `{ ${said.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`])).join(', ')} }`
          }),
        )
  return [colors.dim('the conversation, before the format writes it:'), ...lines.map((line) => `  ${printable(line)}`)]
}

function quoted(pieces: readonly Piece[]): string {
  return quote(textOf(pieces))
}

function quote(text: string): string {
  return JSON.stringify(text)
}
