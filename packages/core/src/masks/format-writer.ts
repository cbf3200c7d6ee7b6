import { PromptError } from '../base/errors/prompt-error.ts'
import type { PyValue } from '../base/python/index.ts'
import { isText } from '../base/text/index.ts'
import { type ChatWriter, chatWriter } from '../prompt/compile/chat-writer.ts'
import type { Chat, ChatMessage } from '../prompt/conversation/chat-message.ts'
import { readChat } from '../prompt/conversation/read-chat.ts'
import type { Ask, Format, Prompt } from '../prompt/format/format.ts'
import type { ChatText, WriteChat } from './chat-text.ts'
import { type EndOfTurn, endOfTurnOf } from './end-of-turn.ts'

type Completion = Prompt & { kind: 'completion' }

/** A rendered chat with its prompt. */
export type WrittenPrompt = ChatText & { prompt: Completion }

/** What a render has besides messages and tools: values of template variables, and the time that the template sees. */
export type RenderAsk = Pick<Ask, 'variables' | 'clock'>

/** Renders chats in a format, whole or up to the generation prompt. */
export function formatWriter(
  format: Format,
  tools?: readonly PyValue[],
  ask: RenderAsk = {},
): (messages: readonly ChatMessage[], addGenerationPrompt: boolean) => WrittenPrompt {
  if (format.kind === 'chat') {
    throw new PromptError('no-text', {
      where: format.name,
      problem: 'this format produces messages for a server, not text to train on',
      fix: 'choose a format that produces text: --chat-template, --format or --conv-template',
    })
  }
  const quick = {
    generate: quickText(format, { ...ask, want: 'generate' }, tools),
    complete: quickText(format, { ...ask, want: 'complete' }, tools),
  }
  return (messages, addGenerationPrompt) => {
    const want = addGenerationPrompt ? 'generate' : 'complete'
    const text = quick[want](messages)
    const render = () => format.render(readChat({ messages, ...(tools && { tools }) } as Chat), { ...ask, want }) as Completion
    return text === undefined ? inFull(render()) : lazily(text, render)
  }
}

/** Like `formatWriter`, with the origins computed immediately. */
export function writeInFull(
  format: Format,
  { messages, tools }: { messages: readonly ChatMessage[]; tools?: readonly PyValue[] },
  want: Ask['want'] = 'complete',
  ask: RenderAsk = {},
): WrittenPrompt {
  return inFull(format.render(readChat({ messages, ...(tools && { tools }) } as Chat), { ...ask, want }) as Completion)
}

function inFull(prompt: Completion): WrittenPrompt {
  const pieces = prompt.pieces.filter(isText)
  return { prompt, pieces, text: pieces.map(({ text }) => text).join(''), notes: prompt.notes }
}

/** Text immediately, origins lazily: most texts are only compared. */
function lazily(text: string, render: () => Completion): WrittenPrompt {
  let full: WrittenPrompt | undefined
  const rendered = () => {
    full ??= inFull(render())
    return full
  }
  return {
    text,
    get prompt() {
      return rendered().prompt
    },
    get pieces() {
      return rendered().pieces
    },
  }
}

/** Renders text without origins; undefined if that is not faster. */
function quickText(format: Format, ask: Ask, tools?: readonly PyValue[]): (messages: readonly ChatMessage[]) => string | undefined {
  const isPlain = !tools || tools.length === 0
  const writer = isPlain && ask.variables === undefined ? plainWriter(format, ask.want) : undefined
  return (messages) => writer?.text(messages) ?? format.text?.(readChat({ messages, ...(tools && { tools }) } as Chat), ask)
}

const writers = new WeakMap<Format, Map<string, ChatWriter | undefined>>()

/** Cached: preparing a writer costs more than rendering a chat. */
function plainWriter(format: Format, want: Ask['want']): ChatWriter | undefined {
  const known = writers.get(format) ?? new Map<string, ChatWriter | undefined>()
  writers.set(format, known)
  if (!known.has(want)) {
    const plainChat = format.plainChat?.({ want })
    known.set(want, plainChat && chatWriter(plainChat))
  }
  return known.get(want)
}

const known = new WeakMap<Format, EndOfTurn>()

/** How the model's turn ends in a format, cached. Some templates only render with tools. */
export function endOfFormat(format: Format): EndOfTurn {
  const found = known.get(format)
  if (found !== undefined) return found
  const markers = format.markers
  const write = (tools?: readonly PyValue[]) => formatWriter(format, tools) as WriteChat<object>
  const without = endOfTurnOf(write(), markers)
  const end = without.marker === undefined ? endOfTurnOf(write([]), markers) : without
  known.set(format, end)
  return end
}
