import { ReplyReader } from '@rolecall/core/internal/reply'
import { TokenDecoder, type Tokenizer } from '@rolecall/core/internal/tokenizer'
import { buildChatPrompt, type ChatPrompt, exactChatOf } from '../chat/chat-prompt.ts'
import type { ChatSettings } from '../chat/chat-request.ts'
import { type CallDelta, type Delta, DeltaWriter, joinDeltas } from '../chat/delta-writer.ts'
import type { PromptModel } from '../served-model.ts'
import { tokenizerOf } from './checked-ids.ts'

/** How replies to a request are read. Without the request nothing says what it may contain, so special tokens are hidden, as in vLLM. */
export type GeneratedReading = { served: PromptModel; tokenizer: Tokenizer; prompt: ChatPrompt | undefined }

export function readerOf(
  served: PromptModel,
  settings: ChatSettings | null | undefined,
  exact: Parameters<typeof exactChatOf>[0] | undefined,
): GeneratedReading {
  const prompt = settings && exact !== undefined ? buildChatPrompt(served, settings, exactChatOf(exact)) : undefined
  return { served, tokenizer: tokenizerOf(served), prompt }
}

type ReadReply = { deltas: Delta[]; problems: readonly string[]; calls: number }

function readIds({ served, tokenizer, prompt }: GeneratedReading, ids: readonly number[], isEnd: boolean): ReadReply {
  if (prompt === undefined) {
    const content = plainText(ids, served, tokenizer, isEnd)
    return { deltas: content === '' ? [] : [{ content }], problems: [], calls: 0 }
  }
  const reader = new ReplyReader({
    syntax: prompt.syntax,
    opening: prompt.opening,
    tools: prompt.tools,
    tokenizer,
    stop: prompt.prompt.stop,
    stopTexts: [],
  })
  // The text of a token is known before its events: a malformed call is returned as text, up to the token that closes it.
  let text = ''
  const decoder = new TokenDecoder(tokenizer)
  const writer = new DeltaWriter((start, end) => text.slice(start, end))
  const deltas = ids.flatMap((id) => {
    const fresh = decoder.push(id)
    text += fresh
    return [...writer.write(reader.token(id)), ...writer.write(reader.text(fresh))]
  })
  if (isEnd) {
    text += decoder.end()
    deltas.push(...writer.write(reader.end({ text, ids })), ...writer.end())
  }
  return { deltas, problems: writer.problems, calls: writer.calls }
}

export function readWhole(reading: GeneratedReading, ids: readonly number[]) {
  const { deltas, problems, calls } = readIds(reading, ids, true)
  return { delta: withReasoning(joinDeltas(deltas)), problems, calls }
}

/** What a chunk adds: everything is read again, since nothing is kept between requests. */
export function readChunk(
  reading: GeneratedReading,
  before: readonly number[],
  ids: readonly number[],
  { callIds, isEnd }: { callIds: readonly string[]; isEnd: boolean },
) {
  const sent = readIds(reading, before, false)
  const all = readIds(reading, [...before, ...ids], isEnd)
  const named = withCallIds(all.deltas, callIds)
  const fresh = reading.prompt === undefined ? textBehind(sent.deltas, named.deltas) : named.deltas.slice(sent.deltas.length)
  return { delta: oneDelta(fresh), problems: all.problems.slice(sent.problems.length), calls: all.calls, callIds: named.callIds }
}

/** Plain text is one delta, which grows. */
function textBehind([sent]: readonly Delta[], [all]: readonly Delta[]): Delta[] {
  const content = (all?.content ?? '').slice(sent?.content?.length ?? 0)
  return content === '' ? [] : [{ content }]
}

/** Calls keep the ids that earlier chunks gave them. */
function withCallIds(deltas: readonly Delta[], known: readonly string[]): { deltas: Delta[]; callIds: string[] } {
  const callIds = [...known]
  const named = deltas.map((delta): Delta => {
    if (delta.tool_calls === undefined) return delta
    const calls = delta.tool_calls.map((call) => {
      if (call.id === undefined) return call
      callIds[call.index] ??= call.id
      return { ...call, id: callIds[call.index] }
    })
    return { ...delta, tool_calls: calls }
  })
  return { deltas: named, callIds }
}

/** One delta of several: texts are joined, and the pieces of each call. */
function oneDelta(deltas: readonly Delta[]): Delta {
  const one: Delta = {}
  const calls = new Map<number, CallDelta>()
  for (const { content, reasoning_content: reasoning, tool_calls: pieces = [] } of deltas) {
    if (content !== undefined) one.content = (one.content ?? '') + content
    if (reasoning !== undefined) one.reasoning_content = (one.reasoning_content ?? '') + reasoning
    for (const piece of pieces) calls.set(piece.index, joinedCall(calls.get(piece.index), piece))
  }
  if (calls.size > 0) one.tool_calls = [...calls.values()]
  return one
}

function joinedCall(known: CallDelta | undefined, piece: CallDelta): CallDelta {
  if (known === undefined) return piece
  if (known.function === undefined || piece.function === undefined) return { ...known, ...piece }
  const written = { ...known.function, ...piece.function, arguments: known.function.arguments + piece.function.arguments }
  return { ...known, ...piece, function: written }
}

/** vLLM's name for reasoning, beside that of other servers. */
export function withReasoning<Message extends { reasoning_content?: string }>(message: Message): Message & { reasoning?: string } {
  return message.reasoning_content === undefined ? message : { ...message, reasoning: message.reasoning_content }
}

/** Text without the tokens of the format; `isEnd`: what is left of an incomplete character is written, too. */
export function plainText(ids: readonly number[], { maker: { format } }: PromptModel, tokenizer: Tokenizer, isEnd = true): string {
  const hidden = new Set([
    ...tokenizer.addedTokens.filter(({ special }) => special).map(({ id }) => id),
    ...format.markers.flatMap((marker) => tokenizer.idOf(marker) ?? []),
  ])
  const decoder = new TokenDecoder(tokenizer)
  const text = ids.map((id) => (hidden.has(id) ? '' : decoder.push(id))).join('')
  return isEnd ? text + decoder.end() : text
}
