import type { ChatMessage } from '../conversation/chat-message.ts'
import { readChat } from '../conversation/read-chat.ts'
import type { Format, Prompt } from '../format/format.ts'
import { PromptError } from '../prompt-error.ts'
import type { PyValue } from '../python/index.ts'
import { type EndOfTurn, endOfTurnOf } from './end-of-turn.ts'
import type { WriteChat, Written } from './written.ts'

/** A chat as a format writes it, with the prompt that it comes from. */
export type WrittenPrompt = Written & { prompt: Prompt & { kind: 'completion' } }

/** Writes chats in a format, whole or up to where the model speaks. */
export function formatWriter(
  format: Format,
  tools?: readonly PyValue[],
): (messages: readonly ChatMessage[], isAsked: boolean) => WrittenPrompt {
  return (messages, isAsked) => {
    const prompt = format.render(readChat({ messages, ...(tools && { tools }) } as never), { want: isAsked ? 'generate' : 'complete' })
    if (prompt.kind === 'chat') {
      throw new PromptError('no-text', {
        where: format.name,
        problem: 'it writes messages for a server, and no text that could be trained on',
        fix: 'choose a format that writes text: --chat-template, --format or --conv-template',
      })
    }
    const pieces = prompt.pieces.flatMap((piece) => ('text' in piece ? [piece] : []))
    return { prompt, pieces, text: pieces.map(({ text }) => text).join('') }
  }
}

const known = new WeakMap<Format, EndOfTurn>()

/** What ends the model's turn in a format, looked for once. Some templates cannot be written without tools. */
export function endOfFormat(format: Format): EndOfTurn {
  const found = known.get(format)
  if (found !== undefined) return found
  const markers = format.markers
  const write = (tools?: readonly PyValue[]) => formatWriter(format, tools) as unknown as WriteChat<object>
  const without = endOfTurnOf(write(), markers)
  const end = without.marker === undefined ? endOfTurnOf(write([]), markers) : without
  known.set(format, end)
  return end
}
