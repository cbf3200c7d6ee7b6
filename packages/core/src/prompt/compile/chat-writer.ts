import type { ByteSink } from '../../base/text/byte-sink.ts'
import type { ChatMessage } from '../conversation/chat-message.ts'
import type { PlainChat } from '../format/plain-chat.ts'
import { isPlainMessage } from './plain-message.ts'

/** Writes chats whose messages are roles and texts. */
export type ChatWriter = {
  /** The whole prompt; undefined if the chat is not plain enough. */
  text(messages: readonly ChatMessage[]): string | undefined
  /** Appends it to a sink; false if the chat is not plain enough, and then nothing was written. */
  write(messages: readonly ChatMessage[], sink: ByteSink): boolean
}

/**
 * A fast path for plain chats. Texts are joined and encoded together, since a call of the encoder costs more than a short text. The common
 * prefix with the previous chat is not encoded again: a running chat is sent again with every turn.
 */
export function chatWriter(plain: PlainChat): ChatWriter {
  const { roles, period, alternates } = plain
  const reply = roles.length
  const width = reply + 1
  const joints = jointsOf(plain)
  const starts = roles.map((role) => plain.start(undefined, role))
  const [firstRole, secondRole] = roles
  const past: LastChat = { contents: [], roles: [], count: 0, encoded: 0, bytes: new Uint8Array() }
  const numberOf = (role: string): number => (role === firstRole ? 0 : role === secondRole ? 1 : roles.indexOf(role))

  /** The number of messages before the first turn; -1 if that is left to `render`. */
  const systemsOf = (messages: readonly ChatMessage[]): number => {
    if (plain.system === 'turn' || messages[0]?.role !== 'system') return messages.length === 0 ? -1 : 0
    const isSaid = isPlainMessage(messages[0]) && messages[0].content !== ''
    return plain.system === 'slot' && messages.length > 1 && isSaid ? 1 : -1
  }

  /** The text of some messages, from the end of the previous one; undefined if it depends on more than roles and texts. */
  const textOf = (messages: readonly ChatMessage[], systems: number, from: number, to: number): string | undefined => {
    let text = ''
    let index = from > systems ? from : systems
    let last = from > systems ? numberOf(messages[from - 1]!.role) : -1
    // The position of the previous message, which decides the text after it.
    let phase = index === systems ? -1 : (index - 1 - systems) % period
    for (; index < to; index++) {
      const message = messages[index]!
      if (!isPlainMessage(message)) return undefined
      const { role, content } = message
      const number = role === firstRole ? 0 : role === secondRole ? 1 : roles.indexOf(role)
      if (number < 0 || (alternates && number === last)) return undefined
      const before =
        phase >= 0
          ? joints[(phase * reply + last) * width + number]!
          : systems === 0
            ? starts[number]!
            : plain.start(messages[0]!.content as string, role)
      // Half a surrogate pair can only be encoded together with the other half, which may be in the text encoded before.
      if (index === from && from > 0 && before === '' && startsInPair(content)) return undefined
      text = text + before + content
      last = number
      phase = phase + 1 === period ? 0 : phase + 1
    }
    return text
  }

  const lastJoint = (messages: readonly ChatMessage[], systems: number): number => {
    const index = messages.length - 1
    return (((index - systems) % period) * reply + numberOf(messages[index]!.role)) * width + reply
  }

  /** Encodes the common prefix of two consecutive chats, to be copied from now on. */
  const encodeStart = (messages: readonly ChatMessage[], systems: number, count: number): void => {
    const text = textOf(messages, systems, 0, count)
    const isWhole = text !== undefined && text !== '' && !endsInPair(text)
    past.bytes = isWhole ? encoder.encode(text) : new Uint8Array()
    past.encoded = isWhole ? count : 0
  }

  /** A chat without a common prefix may be one of many: only its start is cached until it is seen again. */
  const remember = (messages: readonly ChatMessage[], shared: number): void => {
    past.count = shared === 0 ? Math.min(messages.length, 2) : messages.length
    for (let index = shared; index < past.count; index++) {
      past.contents[index] = messages[index]!.content as string
      past.roles[index] = messages[index]!.role
    }
  }

  /** In a running chat, everything but the last message is already encoded. */
  const writeLast = (messages: readonly ChatMessage[], systems: number, sink: ByteSink): boolean => {
    const index = messages.length - 1
    const message = messages[index]!
    if (!isPlainMessage(message)) return false
    const { role, content } = message
    const number = numberOf(role)
    const last = numberOf(messages[index - 1]!.role)
    if (number < 0 || (alternates && number === last)) return false
    // Half a surrogate pair is encoded together with its neighbours in the same text.
    if (startsInPair(content) || endsInPair(content)) return false
    past.contents[index] = content
    past.roles[index] = role
    past.count = index + 1
    sink.writeBytes(past.bytes)
    const before = joints[(((index - 1 - systems) % period) * reply + last) * width + number]!
    sink.writeText(before + content + joints[(((index - systems) % period) * reply + number) * width + reply]!)
    return true
  }

  return {
    text(messages) {
      const systems = systemsOf(messages)
      const text = systems < 0 ? undefined : textOf(messages, systems, 0, messages.length)
      return text === undefined ? undefined : text + joints[lastJoint(messages, systems)]!
    },
    write(messages, sink) {
      const systems = systemsOf(messages)
      if (systems < 0) return false
      const shared = sharedStart(messages, past, systems)
      if (shared < past.encoded) past.encoded = 0
      else if (shared > past.encoded) encodeStart(messages, systems, shared)
      const from = past.encoded
      if (from > systems && from === messages.length - 1) return writeLast(messages, systems, sink)
      const text = textOf(messages, systems, from, messages.length)
      if (text === undefined) return false
      remember(messages, shared)
      if (from > 0) sink.writeBytes(past.bytes)
      sink.writeText(text + joints[lastJoint(messages, systems)]!)
      return true
    },
  }
}

const encoder = new TextEncoder()

/** The text between two messages, by the position and role of the first and the role of the second; then the reply. */
function jointsOf({ roles, period, begin, end, reply }: PlainChat): string[] {
  // Joining a list gives a flat string; concatenation would be flattened again for every chat.
  return Array.from({ length: period }, (_, index) =>
    roles.flatMap((role) => [...roles.map(begin), reply].map((next) => [end(index, role), next].join(''))),
  ).flat()
}

/** The messages of the previous chat, and the bytes of its common prefix with the one before. */
type LastChat = { contents: string[]; roles: string[]; count: number; encoded: number; bytes: Uint8Array }

/** The number of messages that both have in common at the start, never including the last, since the model replies after it. */
function sharedStart(messages: readonly ChatMessage[], { contents, roles, count }: LastChat, systems: number): number {
  const most = Math.min(messages.length - 1, count)
  let shared = 0
  while (shared < most) {
    const message = messages[shared]!
    if (!isPlainMessage(message) || message.content !== contents[shared] || message.role !== roles[shared]) break
    shared++
  }
  // A system message alone is not a prefix: the text after it depends on who speaks first.
  return shared <= systems ? 0 : shared
}

/** Whether the other half of a surrogate pair may precede a text. */
function startsInPair(text: string): boolean {
  const first = text.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff
}

/** Whether it may follow it. */
function endsInPair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
