import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ApiMessage, Prompt } from '@rolecall/core/internal/format'
import { sentParts } from '@rolecall/core/internal/format'
import { JsonSyntaxError, type PyValue, parseJson, stringifyJson } from '@rolecall/core/internal/python'
import type { UsableCall } from '@rolecall/core/internal/reply'
import { type Media, type Piece, textOf } from '@rolecall/core/internal/text'
import type { ModelReply } from '../language-model/language-model.ts'

/**
 * A prompt as plain JSON, exact to the token. A completion distinguishes plain text, text with special tokens, and ids; a chat has
 * messages.
 */
export type SavedPrompt =
  | { kind: 'completion'; bos: 'in-prompt' | 'tokenizer' | 'none'; parts: readonly SavedPart[] }
  | { kind: 'chat'; messages: readonly unknown[]; tools?: readonly unknown[] }

/** A part of a prompt as a transcript saves it. */
export type SavedPart = { text: string } | { control: string } | { ids: readonly number[] } | { media: Media }

/** One turn of the model: its prompt and its reply. */
export type TranscriptStep = {
  prompt: SavedPrompt
  reply: Pick<ModelReply, 'text' | 'ids' | 'finish' | 'tokens' | 'calls' | 'reasoning'>
}

/** The version of transcripts. A change that an older Rolecall would misread is a higher one. */
const transcriptVersion = 1

/** The whole run as plain JSON: to save, to inspect, and to replay without the model. */
export type Transcript = {
  version: typeof transcriptVersion
  model: string
  format: string
  /** The schemas of the tools. */
  tools: readonly unknown[]
  /** Whether the model could run code. */
  interpreter: boolean
  messages: readonly ChatMessage[]
  steps: readonly TranscriptStep[]
}

/** Refuses a transcript that a newer Rolecall saved, instead of reading half of it. */
export function refuseNewerTranscript(given: unknown, where: string): void {
  const { version, steps } = Object(given) as { version?: unknown; steps?: unknown }
  if (!Array.isArray(steps) || typeof version !== 'number' || version <= transcriptVersion) return
  throw new PromptError('newer-transcript', {
    where,
    problem: `a newer Rolecall saved this conversation: its version is ${version}, and this Rolecall reads up to ${transcriptVersion}`,
    fix: 'update Rolecall (npm install rolecall@latest), or remove `version` and `steps` to keep the messages only',
  })
}

/** A prompt as a transcript stores it. */
export function savePrompt(prompt: Prompt): SavedPrompt {
  if (prompt.kind === 'chat') {
    const tools = prompt.tools?.map(({ schema }) => asJson(schema))
    return { kind: 'chat', messages: prompt.messages.map(saveMessage), ...(tools ? { tools } : {}) }
  }
  return { kind: 'completion', bos: prompt.bos, parts: savePieces(prompt.pieces) }
}

/** Merges adjacent parts of the same kind: their origin does not change what is sent. */
function savePieces(pieces: readonly Piece[]): SavedPart[] {
  const parts: SavedPart[] = []
  for (const piece of pieces) {
    const last = parts.at(-1)
    if ('ids' in piece) parts.push({ ids: piece.ids })
    else if ('media' in piece) parts.push({ media: piece.media })
    else if (piece.text === '') continue
    else if (piece.control && last && 'control' in last) parts[parts.length - 1] = { control: last.control + piece.text }
    else if (!piece.control && last && 'text' in last) parts[parts.length - 1] = { text: last.text + piece.text }
    else parts.push(piece.control ? { control: piece.text } : { text: piece.text })
  }
  return parts
}

function saveMessage({ role, content, name, extra, parts }: ApiMessage): unknown {
  return {
    role,
    content: parts ? asJson(sentParts(content, parts)) : textOf(content),
    ...(name === undefined ? {} : { name }),
    ...(extra === undefined ? {} : (asJson(extra) as object)),
  }
}

function asJson(value: PyValue): unknown {
  return JSON.parse(stringifyJson(value)) as unknown
}

/** Messages may contain values that JSON cannot represent: exact numbers are stored as the argument text of OpenAI's shape. */
export function saveMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => ({
    ...message,
    ...(message.tool_calls
      ? {
          tool_calls: message.tool_calls.map((call) => {
            if (!('function' in call)) return call
            const { arguments: given } = call.function
            if (given === undefined || typeof given === 'string') return call
            return { ...call, function: { ...call.function, arguments: stringifyJson(given, { ensureAscii: false }) } }
          }),
        }
      : {}),
  }))
}

/** A reply as a transcript stores it: calls that a server parsed keep exact numbers only as text. */
export function saveReply({ text, ids, finish, tokens, calls, reasoning }: ModelReply): TranscriptStep['reply'] {
  return {
    text,
    finish,
    tokens,
    ...(ids ? { ids: [...ids] } : {}),
    ...(calls ? { calls: calls.map((call) => (call.kind === 'call' ? { ...call, arguments: {} } : call)) } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
  }
}

/** The stored reply. */
export function savedReply({ calls, ...reply }: TranscriptStep['reply']): ModelReply {
  const read = calls?.map((call) => (call.kind === 'call' ? { ...call, arguments: argumentsOf(call) } : call))
  return { ...reply, ...(read ? { calls: read } : {}), notes: [] }
}

function argumentsOf({ argumentsText }: UsableCall): PyValue {
  try {
    return argumentsText === '' ? {} : parseJson(argumentsText)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return argumentsText
    throw error
  }
}
