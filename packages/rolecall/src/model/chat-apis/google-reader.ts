import type { Note } from '@rolecall/core/internal/errors'
import { dictGet, isDict, isList, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { BadReply } from '../openai/http/http-client.ts'
import {
  countIn,
  emptyPart,
  field,
  isAnswer,
  isObject,
  misshapen,
  noAnswer,
  type PartialCall,
  parsed,
  parsedExactly,
  type ServerReplyPart,
} from '../openai/server-reply-part.ts'
import type { WireReader } from '../openai/wire-api.ts'
import type { GoogleCall } from './google-contents.ts'
import type { RememberedCalls } from './remembered-calls.ts'

/** Ends that mean that the service withheld the reply. */
const withheld: ReadonlySet<string> = new Set([
  ...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE', 'IMAGE_SAFETY', 'MODEL_ARMOR'],
  ...['IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'],
])

/** Ends that are mistakes of the model in writing a call. */
const badCalls: ReadonlySet<string> = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'])

/** Reads replies of Gemini's API: an event of a stream is a whole reply with the next text. */
export function googleReader(known: RememberedCalls<GoogleCall>): WireReader {
  let calls = 0

  function event(json: string): ServerReplyPart {
    const value = parsed(json)
    const usage = usageOf(field(value, 'usageMetadata'))
    const candidates = field(value, 'candidates') ?? []
    if (!Array.isArray(candidates)) throw misshapen('candidates', candidates, json)
    const candidate: unknown = candidates[0]
    if (candidate === undefined) return { ...blockedPrompt(value), usage }
    if (!isObject(candidate)) throw misshapen('candidates[0]', candidate)
    const content = candidate.content ?? undefined
    if (content !== undefined && !isObject(content)) throw misshapen('candidates[0].content', content)
    const given = content?.parts ?? []
    if (!Array.isArray(given)) throw misshapen('candidates[0].content.parts', given)
    const hasCalls = given.some((part) => field(part, 'functionCall') !== undefined)
    const exact = hasCalls ? exactArguments(json) : []
    const parts = given.map((part: unknown, index) => readPart(part, `candidates[0].content.parts[${index}]`, exact[index]))
    const end = endOf(candidate)
    const notes = [...parts.flatMap((part) => part.notes ?? []), ...(end.notes ?? [])]
    return {
      ...emptyPart,
      hasNoChoice: undefined,
      text: parts.map(({ text }) => text).join(''),
      hasText: parts.some(({ hasText }) => hasText),
      reasoning: parts.map(({ reasoning }) => reasoning).join(''),
      calls: [...parts.flatMap((part) => part.calls), ...(end.calls ?? [])],
      finish: end.finish,
      ...(notes.length > 0 ? { notes } : {}),
      usage,
    }
  }

  function readPart(part: unknown, place: string, exact: PyValue | undefined): ServerReplyPart {
    if (!isObject(part)) throw misshapen(place, part)
    const { text, functionCall, thought, thoughtSignature } = part
    if (functionCall !== undefined) return callOf(functionCall, `${place}.functionCall`, exact, thoughtSignature)
    if (text !== undefined && typeof text !== 'string') throw misshapen(`${place}.text`, text)
    if (text !== undefined) return thought === true ? { ...emptyPart, reasoning: text } : { ...emptyPart, text, hasText: true }
    const [kind] = Object.keys(part).filter((key) => key !== 'thought' && key !== 'thoughtSignature' && key !== 'partMetadata')
    if (kind === undefined) return emptyPart
    const note: Note = {
      code: 'reply-part-unread',
      text: `the reply has a part of type ${JSON.stringify(kind.slice(0, 60))}, which is not read`,
    }
    return { ...emptyPart, notes: [note] }
  }

  function callOf(call: unknown, place: string, exact: PyValue | undefined, signature: unknown): ServerReplyPart {
    if (!isObject(call)) throw misshapen(place, call)
    if (call.args !== undefined && !isObject(call.args)) throw misshapen(`${place}.args`, call.args)
    const hasId = typeof call.id === 'string' && call.id !== ''
    const id = hasId ? String(call.id) : `call_${crypto.randomUUID()}`
    known.keep(id, { signature: typeof signature === 'string' ? signature : undefined, hasId })
    const read: PartialCall = {
      index: calls++,
      id,
      ...(typeof call.name === 'string' ? { name: call.name } : {}),
      arguments: exact === undefined ? '{}' : stringifyJson(exact, { ensureAscii: false }),
    }
    return { ...emptyPart, calls: [read] }
  }

  /** The end of a reply in the words of OpenAI's API. */
  function endOf(candidate: Record<string, unknown>): Pick<ServerReplyPart, 'finish' | 'notes'> & { calls?: readonly PartialCall[] } {
    const { finishReason: reason, finishMessage: message } = candidate
    if (typeof reason !== 'string' || reason === '' || reason === 'FINISH_REASON_UNSPECIFIED') return {}
    if (reason === 'MAX_TOKENS') return { finish: 'length' }
    if (withheld.has(reason)) return { finish: 'content_filter', notes: [withheldNote(`finishReason ${reason}`)] }
    if (badCalls.has(reason))
      return { finish: 'stop', calls: [{ index: calls++, arguments: typeof message === 'string' ? message : reason }] }
    if (reason === 'MALFORMED_RESPONSE') throw new BadReply('it could not read the reply of the model (finishReason "MALFORMED_RESPONSE")')
    return { finish: 'stop' }
  }

  function whole(json: string): ServerReplyPart {
    const part = event(json)
    if (part.hasNoChoice) throw new BadReply(`its answer has no candidates: ${json.slice(0, 200)}`)
    if (!isAnswer(part)) throw new BadReply(noAnswer(part.hasText, part.finish, 'finishReason'))
    return part
  }

  return { whole, event }
}

/** A prompt that the service refuses to show to the model has no candidate. */
function blockedPrompt(value: unknown): ServerReplyPart {
  const reason = field(field(value, 'promptFeedback'), 'blockReason')
  if (typeof reason !== 'string' || reason === 'BLOCK_REASON_UNSPECIFIED') return emptyPart
  const notes = [withheldNote(`the prompt was blocked: ${reason.slice(0, 60)}`)]
  return { ...emptyPart, hasNoChoice: undefined, finish: 'content_filter', notes }
}

function withheldNote(why: string): Note {
  return { code: 'refusal', text: `the service withheld the reply (${why})` }
}

/** Reasoning is not among the tokens of candidates. */
function usageOf(usage: unknown): ServerReplyPart['usage'] {
  if (!isObject(usage)) return undefined
  return {
    prompt: countIn(usage, 'promptTokenCount') + countIn(usage, 'toolUsePromptTokenCount'),
    reused: countIn(usage, 'cachedContentTokenCount'),
    reply: countIn(usage, 'candidatesTokenCount') + countIn(usage, 'thoughtsTokenCount'),
  }
}

/** The arguments of calls with exact numbers, by the index of their part. */
function exactArguments(json: string): (PyValue | undefined)[] {
  const get = (value: PyValue | undefined, key: string) => (isDict(value) ? dictGet(value, key) : undefined)
  const candidates = get(parsedExactly(json), 'candidates')
  const parts = get(get(isList(candidates) ? candidates[0] : undefined, 'content'), 'parts')
  return isList(parts) ? parts.map((part) => get(get(part, 'functionCall'), 'args')) : []
}
