import type { ByteSink } from '../../base/text/byte-sink.ts'
import type { Chat } from '../conversation/chat-message.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { bodyOf } from '../format/flatten.ts'
import type { Ask, Format } from '../format/format.ts'
import { chatWriter } from './chat-writer.ts'
import { toolChatWriter } from './tool-chat-writer.ts'

/** A format prepared for many chats of one kind of request. */
export type PreparedChat = {
  /** The prompt as one text. */
  text(chat: Chat): string
  /** Appends the UTF-8 of `text` to the sink. */
  write(chat: Chat, sink: ByteSink): void
}

/**
 * Prepares a format for chats. If only roles and texts matter, plain messages are put between the texts that the format writes around them;
 * all others are rendered in full, with the same result.
 */
export function prepareChat(format: Format, ask: Ask, read: (chat: Chat) => Conversation): PreparedChat {
  const plainChat = format.plainChat?.(ask)
  const writer = plainChat && chatWriter(plainChat)
  const toolWriter = plainChat?.tools && toolChatWriter(plainChat, plainChat.tools)
  const inFull = (chat: Chat): string => {
    const written = toolWriter && Array.isArray(chat.messages) ? toolWriter(chat) : undefined
    if (written !== undefined) return written
    const conversation = read(chat)
    return format.text?.(conversation, ask) ?? bodyOf(format.render(conversation, ask))
  }
  return {
    text: (chat) => (writer && isPlainChat(chat) ? writer.text(chat.messages) : undefined) ?? inFull(chat),
    write(chat, sink) {
      if (!writer || !isPlainChat(chat) || !writer.write(chat.messages, sink)) sink.writeText(inFull(chat))
    },
  }
}

function isPlainChat({ messages, tools }: Chat): boolean {
  return Array.isArray(messages) && (!tools || tools.length === 0)
}
