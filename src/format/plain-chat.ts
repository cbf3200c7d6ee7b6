import type { ChatMessage } from '../chat/chat-message.ts'
import type { ByteSink } from '../text/byte-sink.ts'

/** How a format writes chats of which every message is a role and a text: enough to write them without making pieces. */
export type PlainChat = {
  /** The roles of messages; `system` stands only before them. */
  roles: readonly string[]
  /** What one role says twice in a row is joined, which is left to `render`. */
  alternates: boolean
  /** What stands between messages goes by position and repeats after so many. */
  period: number
  /** Whether it has a place for a system message. */
  takesSystem: boolean
  /** Everything up to the words of the first message, which this role says. */
  start(system: string | undefined, first: string): string
  begin(role: string): string
  end(index: number, role: string): string
  /** How the model's reply begins. */
  header: string
}

/** Writes the prompt for a chat's next reply behind what a sink holds; false: this chat is not as plain as that. */
export type ChatWriter = (messages: readonly ChatMessage[], sink: ByteSink) => boolean

/**
 * A fast way to write plain chats. What a chat has in common with the one before it, from its start, is not encoded again: a running chat
 * is sent once more with every turn.
 */
export function chatWriter(plain: PlainChat): ChatWriter {
  const joints = jointsOf(plain)
  const jointBytes = joints.map((ofRoles) => ofRoles.map((texts) => texts.map((text) => encoder.encode(text))))
  const { period, alternates, roles, takesSystem } = plain
  const [firstRole, secondRole] = roles
  const header = roles.length
  const past: Past = { contents: [], roles: [], count: 0, encoded: 0, bytes: new Uint8Array() }
  const numberOf = (role: string): number => (role === firstRole ? 0 : role === secondRole ? 1 : roles.indexOf(role))

  /** The text of some messages, from the end of the one before them; undefined where more than roles and texts decides. */
  const textOf = (messages: readonly ChatMessage[], from: number, to: number): string | undefined => {
    const first = messages[0]!.role === 'system' ? 1 : 0
    let text = ''
    let last = from > first ? numberOf(messages[from - 1]!.role) : -1
    for (let index = from > first ? from : first; index < to; index++) {
      const message = messages[index]!
      const { role, content } = message
      const number = numberOf(role)
      if (typeof content !== 'string' || number < 0 || (alternates && number === last) || hasMore(message)) return undefined
      const before =
        index > first
          ? joints[(index - 1 - first) % period]![last]![number]!
          : plain.start(first === 0 ? undefined : (messages[0]!.content as string), role)
      // Half a character can only be encoded together with the other half, which may stand in what was encoded before.
      if (text === '' && before === '' && from > 0 && startsInPair(content)) return undefined
      text += before
      text += content
      last = number
    }
    return text
  }

  /** Encodes what two chats in a row have in common, to be copied from now on. */
  const encodeStart = (messages: readonly ChatMessage[], count: number): void => {
    const text = count === 0 ? '' : textOf(messages, 0, count)
    past.bytes = text === undefined || text === '' || endsInPair(text) ? new Uint8Array() : encoder.encode(text)
    past.encoded = past.bytes.length === 0 ? 0 : count
  }

  /** A chat that has nothing in common with the one before may be one of many: only its start is remembered, until it is seen again. */
  const remember = (messages: readonly ChatMessage[], shared: number): void => {
    past.count = shared === 0 ? Math.min(messages.length, 2) : messages.length
    for (let index = shared; index < past.count; index++) {
      past.contents[index] = messages[index]!.content as string
      past.roles[index] = messages[index]!.role
    }
  }

  /** What a running chat is asked: everything but the last message is encoded. */
  const writeLast = (messages: readonly ChatMessage[], sink: ByteSink): boolean => {
    const index = messages.length - 1
    const first = messages[0]!.role === 'system' ? 1 : 0
    const message = messages[index]!
    const { content } = message
    const number = numberOf(message.role)
    const last = numberOf(messages[index - 1]!.role)
    if (typeof content !== 'string' || number < 0 || (alternates && number === last) || hasMore(message)) return false
    // Half a character is encoded together with its neighbours, where it stands in one text with them.
    if (startsInPair(content) || endsInPair(content)) return false
    past.contents[index] = content
    past.roles[index] = message.role
    past.count = index + 1
    sink.writeBytes(past.bytes)
    sink.writeBytes(jointBytes[(index - 1 - first) % period]![last]![number]!)
    sink.writeText(content)
    sink.writeBytes(jointBytes[(index - first) % period]![number]![header]!)
    return true
  }

  return (messages, sink) => {
    const count = messages.length
    if (count === 0) return false
    const first = messages[0]!.role === 'system' ? 1 : 0
    if (first === 1 && (!takesSystem || count === 1 || !saysSomething(messages[0]!))) return false
    const shared = sharedStart(messages, past)
    if (shared !== past.encoded) encodeStart(messages, shared)
    const from = past.encoded
    if (from > first && from === count - 1) return writeLast(messages, sink)
    const text = textOf(messages, from, count)
    if (text === undefined) return false
    remember(messages, shared)
    if (from > 0) sink.writeBytes(past.bytes)
    sink.writeText(text + joints[(count - 1 - first) % period]![numberOf(messages[count - 1]!.role)]![header]!)
    return true
  }
}

const encoder = new TextEncoder()

/** The last chat's messages, and the bytes of those that it had in common with the one before. */
type Past = { contents: string[]; roles: string[]; count: number; encoded: number; bytes: Uint8Array }

/** How many messages stand at the start of both; the last one is never among them, since the model replies after it. */
function sharedStart(messages: readonly ChatMessage[], { contents, roles, count }: Past): number {
  const most = Math.min(messages.length - 1, count)
  let shared = 0
  while (shared < most) {
    const message = messages[shared]!
    if (message.content !== contents[shared] || message.role !== roles[shared] || hasMore(message)) break
    shared++
  }
  // A system message alone is no start: what follows it depends on who speaks first.
  return shared === 1 && roles[0] === 'system' ? 0 : shared
}

function saysSomething(message: ChatMessage): boolean {
  return typeof message.content === 'string' && message.content !== '' && !hasMore(message)
}

/** Messages with more than a role and a text are for `render`. */
function hasMore(message: ChatMessage): boolean {
  return message.tool_calls != null || message.tool_call_id !== undefined
}

function jointsOf({ roles, period, begin, end, header }: PlainChat): string[][][] {
  return Array.from({ length: period }, (_, index) =>
    roles.map((role) => [...roles.map((next) => end(index, role) + begin(next)), end(index, role) + header]),
  )
}

/** Whether the other half of a surrogate pair may stand before or after a text. */
function startsInPair(text: string): boolean {
  const first = text.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff
}

function endsInPair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
