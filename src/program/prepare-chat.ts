import type { Chat, ChatMessage } from '../chat/chat-message.ts'
import type { Ask, Format, Prompt } from '../format/format.ts'
import { chatWriter } from '../format/plain-chat.ts'
import type { ByteSink } from '../text/byte-sink.ts'
import { textOf } from '../text/index.ts'
import { bodyOf } from './flatten.ts'

/** A format prepared for many chats of one kind of question. */
export type PreparedChat = {
  /** What is sent, as one text. */
  text(chat: Chat): string
  /** Writes the UTF-8 of `text` behind what the sink holds already. */
  write(chat: Chat, sink: ByteSink): void
}

/** What stands before the words of a role: at the start, and behind another turn. */
type Frame = { before: string; next: string }
/** What stands at the start, before each turn, behind each turn, and at the end. */
type Frames = { start: string; roles: ReadonlyMap<string, Frame>; after: string; end: string }

/**
 * Prepares a format for chats. Where every turn is written in the same way whatever stands around it, plain messages are put
 * between the texts that the format writes around each role, found by rendering one message of each; all others are rendered
 * in full, with the same result.
 */
export function prepareChat(format: Format, { want }: Ask, render: (chat: Chat) => Prompt): PreparedChat {
  // What is left open or left out depends on the last turns.
  const frames = want === 'generate' || want === 'complete' ? framesOf(format, render) : undefined
  const text = (chat: Chat): string => (frames && writeFrames(chat, frames)) ?? bodyOf(render(chat))
  const writePlain = want === 'generate' && format.plainChat ? chatWriter(format.plainChat) : undefined
  const write = (chat: Chat, sink: ByteSink): void => {
    const isPlainChat = Array.isArray(chat.messages) && !(chat.tools && chat.tools.length > 0)
    if (!writePlain || !isPlainChat || !writePlain(chat.messages, sink)) sink.writeText(text(chat))
  }
  return { text, write }
}

/** Undefined when a message is more than a role and its words. */
function writeFrames({ messages, tools }: Chat, { start, roles, after, end }: Frames): string | undefined {
  if ((tools && tools.length > 0) || !Array.isArray(messages)) return undefined
  let text = start
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as ChatMessage
    const frame = isPlain(message) ? roles.get(message.role) : undefined
    if (!frame) return undefined
    text += (index === 0 ? frame.before : frame.next) + (message.content as string)
  }
  return text + (messages.length === 0 ? end : after + end)
}

/** Neither a Map nor an instance of a class: keys are looked at one by one, which is faster than asking for them. */
function isPlain(message: ChatMessage): boolean {
  if (typeof message !== 'object' || message === null || message instanceof Map) return false
  let keys = 0
  for (const key in message) {
    if (key !== 'role' && key !== 'content') return false
    keys++
  }
  return keys === 2 && typeof message.content === 'string'
}

/** One message of each role shows what is written around it: provenance says which turn each piece belongs to. */
function framesOf({ kind, traits }: Format, render: (chat: Chat) => Prompt): Frames | undefined {
  if (kind !== 'completion' || !traits.turnsAlone || !traits.roles) return undefined
  let around: Pick<Frames, 'start' | 'after' | 'end'> | undefined
  const roles = new Map<string, Frame>()
  for (const role of traits.roles) {
    const prompt = render({ messages: [{ role, content: 'x' }] })
    if (prompt.kind !== 'completion') return undefined
    const { pieces } = prompt
    const words = pieces.findIndex(({ source }) => source.by === 'message' || source.by === 'tool')
    if (words < 0 || pieces.some((piece) => !('text' in piece))) return undefined
    const [before, behind] = [pieces.slice(0, words), pieces.slice(words + 1)]
    const found = {
      start: textOf(before.filter(({ turn }) => turn === undefined)),
      after: textOf(behind.filter(({ turn }) => turn === 0)),
      end: textOf(behind.filter(({ turn }) => turn !== 0)),
    }
    around ??= found
    if (found.start !== around.start || found.after !== around.after || found.end !== around.end) return undefined
    const head = textOf(before.filter(({ turn }) => turn === 0))
    roles.set(role, { before: head, next: found.after + head })
  }
  return around && { ...around, roles }
}
