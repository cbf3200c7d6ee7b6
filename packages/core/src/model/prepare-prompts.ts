import { type PreparedChat, prepareChat } from '../prompt/compile/prepare-chat.ts'
import { readChat } from '../prompt/conversation/read-chat.ts'
import type { Model } from './model.ts'

/**
 * Prepares a model for the prompts of many chats, as text or bytes without pieces: several times faster than `renderPrompt`, with the same
 * text.
 *
 * @example
 * const prompts = preparePrompts(defineModel('chatml'))
 * prompts.text({ messages: [{ role: 'user', content: 'Hi' }] }) // => '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n'
 */
export function preparePrompts({ format }: Model): PreparedChat {
  return prepareChat(format, { want: 'generate' }, (chat) => readChat(chat))
}
