import { localReach } from '../../base/jinja/index.ts'
import { isPlainMessage } from '../../prompt/compile/plain-message.ts'
import type { ChatMessage } from '../../prompt/conversation/chat-message.ts'
import type { Format } from '../../prompt/format/format.ts'

/**
 * Removes the middle of a long chat if the format renders messages independently, which leaves its end unchanged. Other chats are
 * returned as they are.
 */
export function withoutMiddle(format: Format, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const period = periodOf(format, messages)
  if (period === undefined) return messages
  const count = Math.floor((messages.length - 2 * localReach) / period) * period
  if (count <= 0) return messages
  const end = localReach + count
  for (let index = localReach; index <= end; index++) {
    const { role } = messages[index]!
    // Consecutive messages may be joined and a system message moved: then there are fewer turns than messages.
    if (role === 'system' || role === 'developer' || role === messages[index - 1]!.role) return messages
  }
  if (messages[end]!.role === messages[localReach - 1]!.role) return messages
  return [...messages.slice(0, localReach), ...messages.slice(end)]
}

/** The period in messages after which a format renders a message the same way; undefined if it depends on more. */
function periodOf(format: Format, messages: readonly ChatMessage[]): number | undefined {
  if (format.isLocal) return 2
  const plain = format.plainChat?.({ want: 'generate' })
  return plain && messages.every(isPlainMessage) ? 2 * plain.period : undefined
}
