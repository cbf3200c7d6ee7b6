import type { ChatMessage } from '../conversation/chat-message.ts'
import { isPlainMessage } from './plain-message.ts'

/** The messages of the chat that was written last, and the bytes of those that it had in common with the one before. */
export type WrittenChat = { contents: string[]; roles: string[]; count: number; encoded: number; bytes: Uint8Array }

/** The number of messages that both have in common at the start, never including the last, since the model replies after it. */
export function sharedStart(messages: readonly ChatMessage[], { contents, roles, count }: WrittenChat, systems: number): number {
  const most = Math.min(messages.length - 1, count)
  let shared = 0
  while (shared < most) {
    const message = messages[shared]!
    if (!isPlainMessage(message) || message.content !== contents[shared] || message.role !== roles[shared]) break
    shared++
  }
  // A system message alone is no start: what follows it depends on who speaks first.
  return shared <= systems ? 0 : shared
}

/** Whether the other half of a surrogate pair may precede a text. */
export function startsInPair(text: string): boolean {
  const first = text.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff
}

/** Whether it may follow it. */
export function endsInPair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
