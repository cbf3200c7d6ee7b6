import type { Note } from '@rolecall/core/internal/errors'
import { dictGet, isDict, isList, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { BadReply } from '../openai/http/http-client.ts'
import {
  countIn,
  emptyPart,
  field,
  isAnswer,
  isObject,
  lastPart,
  misshapen,
  noAnswer,
  type PartialCall,
  parsed,
  parsedExactly,
  type ServerReplyPart,
} from '../openai/server-reply-part.ts'
import type { WireReader } from '../openai/wire-api.ts'
import type { SignedBlocks } from './anthropic-messages.ts'
import type { RememberedCalls } from './remembered-calls.ts'

/** Reads messages of Anthropic's API, whole or event by event. Signed reasoning is kept for the chat with tools that it belongs to. */
export function anthropicReader(signed: RememberedCalls<SignedBlocks>): WireReader {
  /** The reasoning blocks of this reply, by their index. */
  const thoughts = new Map<number, Record<string, string>>()
  /** The first call of this reply. */
  let firstCall: string | undefined
  let counted: unknown = {}

  function whole(json: string): ServerReplyPart {
    const value = parsed(json)
    const content = field(value, 'content')
    if (!Array.isArray(content)) throw misshapen('content', content, json)
    const exact = content.some((block) => field(block, 'type') === 'tool_use') ? exactBlocks(json) : []
    const parts = content.map((block: unknown, index) => startOf(block, index, `content[${index}]`, exact[index]))
    keepThoughts()
    const calls = parts.flatMap((part) => part.calls)
    const part: ServerReplyPart = {
      ...emptyPart,
      hasNoChoice: undefined,
      text: parts.map(({ text }) => text).join(''),
      // No blocks are an empty answer of the model.
      hasText: true,
      reasoning: parts.map(({ reasoning }) => reasoning).join(''),
      calls,
      ...endOf(value),
      usage: usageOf(field(value, 'usage')),
    }
    const notes = [...parts.flatMap((one) => one.notes ?? []), ...(part.notes ?? []), ...cacheNotes(field(value, 'usage'))]
    const read = notes.length === 0 ? part : { ...part, notes }
    if (!isAnswer(read)) throw new BadReply(noAnswer(true, undefined, 'stop_reason'))
    return read
  }

  function event(data: string): ServerReplyPart {
    const value = parsed(data)
    const index = countIn(value, 'index')
    switch (field(value, 'type')) {
      case 'message_start':
        counted = field(field(value, 'message'), 'usage')
        return { ...emptyPart, usage: usageOf(counted), notes: cacheNotes(counted) }
      case 'content_block_start':
        return startOf(field(value, 'content_block'), index, `content[${index}]`)
      case 'content_block_delta':
        return deltaOf(field(value, 'delta'), index)
      case 'message_delta': {
        keepThoughts()
        // Counts so far; those of the prompt came first.
        counted = { ...(counted as object), ...withoutNulls(field(value, 'usage')) }
        return { ...emptyPart, hasNoChoice: undefined, hasText: true, ...endOf(field(value, 'delta')), usage: usageOf(counted) }
      }
      case 'message_stop':
        return lastPart
      case 'content_block_stop':
      case 'ping':
        return emptyPart
      default:
        throw misshapen('type', field(value, 'type'), data)
    }
  }

  /** A block, or the start of one. */
  function startOf(block: unknown, index: number, place: string, exact?: PyValue): ServerReplyPart {
    if (!isObject(block)) throw misshapen(place, block)
    const part = { ...emptyPart, hasNoChoice: undefined }
    switch (block.type) {
      case 'text':
        return { ...part, text: textIn(block, 'text', place), hasText: true }
      case 'thinking': {
        const reasoning = textIn(block, 'thinking', place)
        thoughts.set(index, { type: 'thinking', thinking: reasoning, signature: String(block.signature ?? '') })
        return { ...part, reasoning }
      }
      case 'redacted_thinking':
        thoughts.set(index, { type: 'redacted_thinking', data: textIn(block, 'data', place) })
        return part
      case 'tool_use': {
        const id = textIn(block, 'id', place)
        if (block.input !== undefined && !isObject(block.input)) throw misshapen(`${place}.input`, block.input)
        firstCall ??= id
        const written = exact === undefined ? {} : { arguments: stringifyJson(exact, { ensureAscii: false }) }
        return { ...part, calls: [{ index, id, ...(typeof block.name === 'string' ? { name: block.name } : {}), ...written }] }
      }
      default:
        if (typeof block.type !== 'string') throw misshapen(`${place}.type`, block.type)
        return { ...part, notes: [unreadBlock(block.type)] }
    }
  }

  function deltaOf(delta: unknown, index: number): ServerReplyPart {
    const place = `content[${index}].delta`
    if (!isObject(delta)) throw misshapen(place, delta)
    const part = { ...emptyPart, hasNoChoice: undefined }
    switch (delta.type) {
      case 'text_delta':
        return { ...part, text: textIn(delta, 'text', place), hasText: true }
      case 'input_json_delta': {
        const call: PartialCall = { index, arguments: textIn(delta, 'partial_json', place) }
        return { ...part, calls: [call] }
      }
      case 'thinking_delta': {
        const reasoning = textIn(delta, 'thinking', place)
        const thought = thoughts.get(index)
        if (thought) thought.thinking += reasoning
        return { ...part, reasoning }
      }
      case 'signature_delta': {
        const thought = thoughts.get(index)
        if (thought) thought.signature += textIn(delta, 'signature', place)
        return part
      }
      default:
        if (typeof delta.type !== 'string') throw misshapen(`${place}.type`, delta.type)
        return { ...part, notes: [unreadBlock(delta.type)] }
    }
  }

  function keepThoughts(): void {
    if (firstCall !== undefined && thoughts.size > 0) signed.keep(firstCall, [...thoughts.values()])
  }

  return { whole, event }
}

/** The end of a reply in the words of OpenAI's API. */
function endOf(value: unknown): Pick<ServerReplyPart, 'finish' | 'stoppedBy' | 'notes'> {
  const reason = field(value, 'stop_reason')
  if (typeof reason !== 'string' || reason === '') return {}
  const stop = field(value, 'stop_sequence')
  switch (reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { finish: 'length' }
    case 'stop_sequence':
      return { finish: 'stop', ...(typeof stop === 'string' ? { stoppedBy: stop } : {}) }
    case 'pause_turn':
      throw new BadReply('it stopped before the end of its turn (stop_reason "pause_turn"), as it does for tools that it runs itself')
    case 'refusal': {
      const category = field(field(value, 'stop_details'), 'category')
      const why = typeof category === 'string' ? `, ${category.slice(0, 60)}` : ''
      return { finish: 'refusal', notes: [{ code: 'refusal', text: `the model refused to answer (stop_reason "refusal"${why})` }] }
    }
    default:
      return { finish: 'stop' }
  }
}

/** All tokens of the prompt, also those that a cache was read and written with. */
function usageOf(usage: unknown): ServerReplyPart['usage'] {
  if (!isObject(usage)) return undefined
  const reused = countIn(usage, 'cache_read_input_tokens')
  return {
    prompt: countIn(usage, 'input_tokens') + countIn(usage, 'cache_creation_input_tokens') + reused,
    reused,
    reply: countIn(usage, 'output_tokens'),
  }
}

function cacheNotes(usage: unknown): Note[] {
  const written = countIn(usage, 'cache_creation_input_tokens')
  if (written === 0) return []
  return [
    {
      code: 'cache-written',
      text: 'tokens were written to the cache of prompts, which costs more than the price of a prompt that is counted',
    },
  ]
}

function withoutNulls(usage: unknown): object {
  if (!isObject(usage)) return {}
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))
}

function unreadBlock(type: string): Note {
  return { code: 'reply-part-unread', text: `the reply has a part of type ${JSON.stringify(type.slice(0, 60))}, which is not read` }
}

function textIn(value: Record<string, unknown>, key: string, place: string): string {
  const text = value[key]
  if (typeof text !== 'string') throw misshapen(`${place}.${key}`, text)
  return text
}

/** The inputs of calls with exact numbers. */
function exactBlocks(json: string): (PyValue | undefined)[] {
  const value = parsedExactly(json)
  const content = isDict(value) ? dictGet(value, 'content') : undefined
  return isList(content) ? content.map((block) => (isDict(block) ? dictGet(block, 'input') : undefined)) : []
}
