import { localReach } from '../../base/jinja/index.ts'
import { isPlainMessage } from '../../prompt/compile/plain-message.ts'
import type { ChatMessage } from '../../prompt/conversation/chat-message.ts'
import type { Format } from '../../prompt/format/format.ts'

/**
 * A long chat without its middle, where the format writes each message by itself: what it writes for the end of the chat is the same.
 * Everything else is left as it is.
 */
export function withoutMiddle(format: Format, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const period = periodOf(format, messages)
  if (period === undefined) return messages
  const count = Math.floor((messages.length - 2 * localReach) / period) * period
  if (count <= 0) return messages
  const end = localReach + count
  for (let index = localReach; index <= end; index++) {
    const { role } = messages[index]!
    // Neighbours of one role may be joined, and a system text may be moved: then fewer turns are written than there are messages.
    if (role === 'system' || role === 'developer' || role === messages[index - 1]!.role) return messages
  }
  if (messages[end]!.role === messages[localReach - 1]!.role) return messages
  return [...messages.slice(0, localReach), ...messages.slice(end)]
}

/** After how many messages a format writes a message in the same way again; undefined where more decides. */
function periodOf(format: Format, messages: readonly ChatMessage[]): number | undefined {
  if (format.isLocal) return 2
  const plain = format.plainChat?.({ want: 'generate' })
  return plain && messages.every(isPlainMessage) ? 2 * plain.period : undefined
}
