import type { Chat } from './chat/chat-message.ts'
import { readChat } from './chat/read-chat.ts'
import type { ModelConfig } from './config/config-schema.ts'
import { quirksOf } from './config/fidelity.ts'
import { compileFormat } from './format/compile-format.ts'
import type { Ask, Format, Prompt } from './format/format.ts'
import { chatWriter } from './format/plain-chat.ts'
import { bodyOf } from './program/flatten.ts'
import type { ByteSink } from './text/byte-sink.ts'

/** A model's format, ready for chats. */
export type ChatMaker = {
  format: Format
  /** The exact prompt for a chat, with provenance; by default up to where the model replies. */
  render(chat: Chat, want?: Ask['want']): Prompt
  /** The same as text: a completion's own, or messages as JSON. */
  text(chat: Chat): string
  /** Writes the UTF-8 of `text` behind what the sink holds already, as fast as it can be written. */
  write(chat: Chat, sink: ByteSink): void
}

/**
 * Reads a model's format once, to write many chats in it.
 *
 * @example
 * const chat = compileChat({ conv_template: 'vicuna_v1.1', conv_config: { system: 'Answer briefly.' } })
 * chat.text({ messages: [{ role: 'user', content: '1+1=?' }] }) // => 'Answer briefly. USER: 1+1=? ASSISTANT:'
 */
export function compileChat(model: ModelConfig): ChatMaker {
  const format = compileFormat(model, quirksOf(undefined))
  const writePlain = format.plainChat && chatWriter(format.plainChat)
  const render = (chat: Chat, want: Ask['want'] = 'generate') => format.render(readChat(chat), { want })
  return {
    format,
    render,
    text: (chat) => bodyOf(render(chat)),
    write(chat, sink) {
      if (writePlain && !chat.tools && writePlain(chat.messages, sink)) return
      sink.writeText(bodyOf(render(chat)))
    },
  }
}
