import { type Piece, textOf } from '../../base/text/index.ts'
import { type Conversation, isLoose } from './conversation.ts'

/** A conversation as document 002 prints its PromptList: the speaker and the text, a line each, before any format. */
export function conversationLines(conversation: Conversation): string[] {
  if (conversation.kind === 'text') return [quoted(conversation.content)]
  return conversation.sections.flatMap(({ items }) =>
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
}

function quoted(pieces: readonly Piece[]): string {
  return quote(textOf(pieces))
}

function quote(text: string): string {
  return JSON.stringify(text)
}
