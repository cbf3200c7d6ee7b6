import { AIMessageChunk, type UsageMetadata } from '@langchain/core/messages'
import { countTokens, type ParsedEvent } from '@rolecall/core'
import type { InferenceEngine } from 'rolecall'
import { isLoss } from '../turn/open-turn.ts'
import type { DoneTurn } from '../turn/run-turn.ts'

/** A whole reply as LangChain's message: a chunk, which its structured output asks for. */
export function writeMessage(
  done: DoneTurn,
  engine: InferenceEngine,
  newId: () => string,
  warnings: readonly string[] = [],
): AIMessageChunk {
  const { reply } = done
  const calls = reply.calls.flatMap((call) =>
    call.kind === 'call'
      ? [{ name: call.name, args: call.arguments as Record<string, unknown>, id: call.id ?? newId(), type: 'tool_call' as const }]
      : [],
  )
  const broken = reply.calls.flatMap((call) =>
    call.kind === 'malformed'
      ? [{ name: call.name, args: call.raw, id: newId(), error: call.problem, type: 'invalid_tool_call' as const }]
      : [],
  )
  const message = new AIMessageChunk({
    // LangChain has no place for code; a stream has it as text, too.
    content: reply.text + reply.calls.map((call) => (call.kind === 'code' ? call.raw : '')).join(''),
    tool_calls: calls,
    additional_kwargs: reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning },
    response_metadata: metadataOf(done, engine, warnings),
    usage_metadata: usageOf(done, engine),
  })
  // Its constructor takes them from chunks of calls only.
  message.invalid_tool_calls = broken
  return message
}

/** What was left out and what is wrong with the reply travels with it: LangChain has no warnings. */
export function metadataOf(done: DoneTurn, engine: InferenceEngine, warnings: readonly string[] = []): Record<string, unknown> {
  const { written, reply, notes } = done
  const told = [...notes.filter((note) => isLoss(note)), ...written.notes].map(({ text }) => text)
  return {
    model: engine.name,
    finish_reason: written.finish === 'stop' && reply.calls.length > 0 ? 'tool_calls' : written.finish,
    warnings: [...new Set([...warnings, ...told])],
    problems: reply.problems.map(({ problem }) => problem),
  }
}

export function usageOf({ written: { tokens }, reply }: DoneTurn, { model }: InferenceEngine): UsageMetadata | undefined {
  if (tokens.unreported) return undefined
  const { prompt, reused, reply: generated } = tokens
  const reasoning = reply.reasoning === '' ? 0 : model.tokenizer === undefined ? undefined : countTokens(model, reply.reasoning)
  return {
    input_tokens: prompt,
    output_tokens: generated,
    total_tokens: prompt + generated,
    input_token_details: { cache_read: reused },
    output_token_details: reasoning === undefined ? {} : { reasoning },
  }
}

/** Writes the events of a reply as chunks, which LangChain adds up to a message. Calls come when they are certain. */
export function chunkOf(event: ParsedEvent, newId: () => string): AIMessageChunk | undefined {
  if (event.type === 'text') return new AIMessageChunk({ content: event.text })
  if (event.type === 'reasoning') return new AIMessageChunk({ content: '', additional_kwargs: { reasoning_content: event.text } })
  if (event.type !== 'call-end') return undefined
  const { call, index } = event
  if (call.kind === 'code') return new AIMessageChunk({ content: call.raw })
  // Arguments that are no JSON become one of the message's invalid calls.
  const [name, args] = call.kind === 'call' ? [call.name, call.argumentsText] : [call.name, call.raw]
  const id = (call.kind === 'call' ? call.id : undefined) ?? newId()
  return new AIMessageChunk({ content: '', tool_call_chunks: [{ name, args, id, index, type: 'tool_call_chunk' }] })
}
