import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Chat } from '../../prompt/conversation/chat-message.ts'
import type { Conversation } from '../../prompt/conversation/conversation.ts'
import { readChat } from '../../prompt/conversation/read-chat.ts'
import type { Format, Prompt } from '../../prompt/format/format.ts'

/** What is asked of a conversation: up to where the model speaks, or all of it. */
export type Want = 'generate' | 'complete'

/** A prompt as it was written, or why it was refused. */
export type Written = { prompt: Prompt & { kind: 'completion' }; text: string } | { refused: string }

/** Writes a conversation in a format; what the format refuses is an answer, too. */
export function writeConversation(format: Format, conversation: Conversation, want: Want): Written {
  try {
    if (format.kind === 'chat') throw noText(format)
    const render = () => format.render(conversation, { want }) as Prompt & { kind: 'completion' }
    const text = format.text?.(conversation, { want })
    if (text !== undefined) {
      return {
        text,
        // Most conversations are compared by their text alone.
        get prompt() {
          return render()
        },
      }
    }
    const prompt = render()
    return { prompt, text: prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') }
  } catch (error) {
    if (error instanceof PromptError && error.code !== 'no-text') return { refused: error.problem }
    throw error
  }
}

/** Writes chats; undefined where they are refused. */
export type Write = (chat: Chat, want: Want) => string | undefined

/** The text that a format writes for chats. */
export function textWriter(format: Format): Write {
  return (chat, want) => {
    let conversation: Conversation
    try {
      conversation = readChat(chat)
    } catch (error) {
      if (error instanceof PromptError) return undefined
      throw error
    }
    const written = writeConversation(format, conversation, want)
    return 'refused' in written ? undefined : written.text
  }
}

function noText({ name }: Format): PromptError {
  return new PromptError('no-text', {
    where: name,
    problem: 'it makes messages for a server, which writes them in a format of its own',
    fix: "give the model's chat template, or a format that writes text",
  })
}
