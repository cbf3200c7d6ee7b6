import { type ChatText, ownText } from './chat-text.ts'

/** The first of the messages behind a reply whose text the format does not write there; `first`: the place of the first one in the chat. */
export function unwrittenAmong(whole: ChatText, next: readonly unknown[], first: number, from: number): number | undefined {
  const index = next.findIndex((message, place) => isMisplaced(whole, first + place, message, from))
  return index < 0 ? undefined : index
}

/** Whether a message has text that the format does not write behind the reply. */
function isMisplaced(whole: ChatText, index: number, message: unknown, from: number): boolean {
  if (!hasText(message)) return false
  const own = ownText(whole, index)
  return own === undefined || own.start < from
}

export function hasText(message: unknown): boolean {
  const { content } = message as { content?: unknown }
  if (Array.isArray(content)) return content.some((part) => String((part as { text?: unknown }).text ?? '').trim() !== '')
  return typeof content === 'string' && content.trim() !== ''
}
