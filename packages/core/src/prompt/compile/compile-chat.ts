import { quirksOf } from '../../base/fidelity/quirks.ts'
import type { Chat } from '../conversation/chat-message.ts'
import type { Trust } from '../conversation/message-fields.ts'
import { compileFormat } from '../format/compile-format.ts'
import type { Ask, Prompt } from '../format/format.ts'
import type { FormatSettings } from '../format/format-schema.ts'
import { type ChatMaker, chatMaker } from './chat-maker.ts'

/** The format of a model, by its config or by the name of a shipped format. */
type ModelOrFormat = FormatSettings | string

/**
 * Compiles a model's format to write chats in it.
 *
 * @example
 * const maker = compileChat('internlm2')
 * maker.prepare().text({ messages: [{ role: 'user', content: 'Hi' }] }) // => '<s><|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n'
 */
export function compileChat(model: ModelOrFormat): ChatMaker {
  return chatMaker(compileFormat(typeof model === 'string' ? { format: model } : model, quirksOf(undefined)))
}

/**
 * The exact prompt a model is sent for a chat: messages as chat servers take them, in the model's own format. The chat is
 * not changed. Its `token_ids` count only where the caller vouches for them (`{ trustsIds: true }`).
 *
 * @example
 * const prompt = renderChat({ messages: [{ role: 'user', content: '1+1=?' }] }, 'internlm2')
 * promptText(prompt) // => '<s><|im_start|>user\n1+1=?<|im_end|>\n<|im_start|>assistant\n'
 */
export function renderChat(chat: Chat, model: ModelOrFormat, ask?: Partial<Ask>, trust?: Trust): Prompt {
  return compileChat(model).render(chat, ask, trust)
}
