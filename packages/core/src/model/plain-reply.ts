import { dictEntries, isDict, isList, PyFloat, type PyValue, stringifyJson } from '../base/python/index.ts'
import type { ArgumentProblem } from '../constrain/check-arguments.ts'
import type { CodeBlock, MalformedCall, Reply, ReplyCall, ReplyEvent, ReplyPart, TextRange, UsableCall } from '../reply/reply.ts'

/** A value of JSON. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A call that can be made: its name and its arguments as plain JSON. */
export type ToolCallInReply = {
  kind: 'call'
  name: string
  /** The arguments for `JSON.stringify` and tools; `{}` where the model gave none. */
  arguments: JsonValue
  /** The arguments as exact JSON text: `1.0` is a float there, and integers of any size are whole. */
  argumentsText: string
  /** The paths of the arguments that JavaScript's numbers cannot hold, so that `arguments` has the nearest number: `['id']`. */
  rounded?: readonly string[]
  /** The id the model gave the call, where its syntax has one. */
  id?: string
  /** What the tool's schema says about the arguments; only where tools were given, and only if something is wrong. */
  problems?: readonly ArgumentProblem[]
  /** The closing mark is missing: the reply was cut there, or generation stops on it. */
  unterminated?: true
  at: TextRange
}

/** A call, a block of code, or what was meant to be a call. */
export type CallInReply = ToolCallInReply | CodeBlock | MalformedCall

/** A reply that has been read, as plain data: text, reasoning, calls and code, and what is wrong with it. */
export type ParsedReply = Omit<Reply, 'calls' | 'parts'> & {
  calls: readonly CallInReply[]
  /** Everything in the order in which it was written. */
  parts: readonly (Exclude<ReplyPart, ReplyCall> | CallInReply)[]
}

/** What has become certain while a reply is streamed. */
export type ParsedEvent = Exclude<ReplyEvent, { type: 'call-end' }> | { type: 'call-end'; index: number; call: CallInReply }

export function plainReply({ calls, parts, ...reply }: Reply): ParsedReply {
  const plain = new Map(calls.map((call) => [call, plainCall(call)]))
  return {
    ...reply,
    calls: [...plain.values()],
    parts: parts.map((part) => (part.kind === 'text' || part.kind === 'reasoning' ? part : (plain.get(part) ?? plainCall(part)))),
  }
}

export function plainEvent(event: ReplyEvent): ParsedEvent {
  return event.type === 'call-end' ? { ...event, call: plainCall(event.call) } : event
}

function plainCall(call: ReplyCall): CallInReply {
  if (call.kind !== 'call') return call
  const rounded: string[] = []
  const plain: ToolCallInReply = { ...call, arguments: plainJson(call.arguments, '', rounded), argumentsText: exactText(call) }
  return rounded.length === 0 ? plain : { ...plain, rounded }
}

/** What the model wrote, unless it is not JSON as such (`NaN`, single quotes, nothing at all). */
function exactText({ arguments: exact, argumentsText }: UsableCall): string {
  try {
    JSON.parse(argumentsText)
    return argumentsText
  } catch {
    return stringifyJson(exact, { ensureAscii: false })
  }
}

/** A value as JSON's own types have it; the paths of numbers that change are added to `rounded`. */
function plainJson(value: PyValue, path: string, rounded: string[]): JsonValue {
  if (value instanceof PyFloat) {
    // JSON has no NaN and no infinity.
    if (Number.isFinite(value.value)) return value.value
    rounded.push(path)
    return null
  }
  if (typeof value === 'bigint') {
    const number = Number(value)
    if (!Number.isSafeInteger(number)) rounded.push(path)
    return number
  }
  if (isList(value)) return value.map((item, index) => plainJson(item, `${path}[${index}]`, rounded))
  if (isDict(value)) {
    const entries = dictEntries(value).map(([key, item]) => [key, plainJson(item, path === '' ? key : `${path}.${key}`, rounded)] as const)
    return Object.fromEntries(entries)
  }
  return value as JsonValue
}
