import type { Chat } from '../conversation/chat-message.ts'
import type { Trust } from '../conversation/message-fields.ts'
import { readChat } from '../conversation/read-chat.ts'
import type { Ask, Format, Prompt } from '../format/format.ts'
import { type PreparedChat, prepareChat } from './prepare-chat.ts'

/** A compiled format that writes chats. */
export type ChatMaker = {
  format: Format
  /** The exact prompt for a chat; by default up to where the model speaks. */
  render(chat: Chat, ask?: Partial<Ask>, trust?: Trust): Prompt
  /** The same as text and bytes, optimized for many chats. */
  prepare(ask?: Partial<Ask>, trust?: Trust): PreparedChat
}

/** Writes chats in a compiled format. */
export function chatMaker(format: Format): ChatMaker {
  const complete = (ask: Partial<Ask> = {}): Ask => ({ ...ask, want: ask.want ?? 'generate' })
  const render = (chat: Chat, ask?: Partial<Ask>, trust?: Trust): Prompt => format.render(readChat(chat, trust), complete(ask))
  return { format, render, prepare: (ask, trust) => prepareChat(format, complete(ask), (chat) => readChat(chat, trust)) }
}
