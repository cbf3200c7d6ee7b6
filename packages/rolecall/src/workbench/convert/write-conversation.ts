import type { Chat, Conversation } from '@rolecall/core/internal/conversation'
import { readChat } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'

/** Render up to the generation prompt, or the whole conversation. */
export type Want = 'generate' | 'complete'

/** A rendered prompt, or the error. */
export type WrittenConversation = { prompt: Prompt & { kind: 'completion' }; text: string } | { refused: string }

/** Renders a conversation in a format; errors are returned. */
export function writeConversation(format: Format, conversation: Conversation, want: Want): WrittenConversation {
  try {
    if (format.kind === 'chat') throw noText(format)
    const render = () => format.render(conversation, { want }) as Prompt & { kind: 'completion' }
    const text = format.text?.(conversation, { want })
    if (text !== undefined) {
      return {
        text,
        // Most conversations are compared by text only.
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

/** Renders chats; undefined if they are rejected. */
export type Write = (chat: Chat, want: Want) => string | undefined

/** Renders chats in a format as text. */
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
    problem: 'the format produces messages, which the server renders itself',
    fix: "give the model's chat template, or a format that produces text",
  })
}
