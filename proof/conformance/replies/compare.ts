import type { Reply } from '../../../packages/core/src/internal/reply.ts'
import { plainVector } from '../chat/parse-vector.ts'
import { sameValue, show } from '../outcome.ts'
import type { ExpectedCall, ReplyVector } from './vector.ts'

/** A parsed reply as plain JSON: calls that can be used, and the raw text of the others. */
export type ShownReply = { reasoning: string; text: string; calls: readonly (ExpectedCall | { malformed: string })[] }

export function shownReply({ reasoning, text, calls }: Reply): ShownReply {
  return {
    reasoning,
    text,
    calls: calls.flatMap((call): ShownReply['calls'][number][] => {
      if (call.kind === 'malformed') return [{ malformed: call.raw }]
      return call.kind === 'call' ? [{ name: call.name, arguments: plainVector(call.arguments) }] : []
    }),
  }
}

export type Difference = { field: 'reasoning' | 'calls' | 'content'; problem: string }

/** The parts of a reply that the reference reports: not the text if only calls were read, and of a broken reply the calls before the break. */
export function comparedReply({ malformed, complete_calls: complete = [], expected }: ReplyVector, reply: ShownReply): Partial<ShownReply> {
  if (malformed) return { calls: usableCalls(reply).slice(0, complete.length) }
  const { reasoning, content, calls } = expected
  const tellsText = typeof content === 'string' || Boolean(reasoning)
  return {
    ...(tellsText ? { reasoning: reply.reasoning } : {}),
    ...(typeof content === 'string' ? { text: reply.text } : {}),
    ...(calls ? { calls: reply.calls } : {}),
  }
}

/** The difference between a reply and a vector's expected reply; undefined if there is none. */
export function difference(vector: ReplyVector, reply: ShownReply): Difference | undefined {
  const calls = usableCalls(reply)
  if (vector.malformed) {
    const complete = vector.complete_calls ?? []
    if (sameCalls(calls.slice(0, complete.length), complete)) return undefined
    return { field: 'calls', problem: `calls ${shown(calls)}, expected first ${shown(complete)}` }
  }
  const { reasoning, content, calls: expected } = vector.expected
  // A parser of calls alone returns neither text nor reasoning.
  const tellsText = typeof content === 'string' || Boolean(reasoning)
  if (tellsText && reply.reasoning.trim() !== (reasoning ?? '').trim())
    return { field: 'reasoning', problem: `reasoning ${shown(reply.reasoning)}, expected ${shown(reasoning ?? '')}` }
  if (expected && !sameCalls(calls, expected))
    return { field: 'calls', problem: `calls ${shown(reply.calls)}, expected ${shown(expected)}` }
  if (typeof content === 'string' && !sameContent(reply.text, content, vector.content_loose === true))
    return { field: 'content', problem: `content ${shown(reply.text)}, expected ${shown(content)}` }
  return undefined
}

export function sameContent(a: string, b: string, isLoose: boolean): boolean {
  return isLoose ? a.replace(/\s+/gu, '') === b.replace(/\s+/gu, '') : a.trim() === b.trim()
}

export function usableCalls({ calls }: ShownReply): ExpectedCall[] {
  return calls.filter((call) => 'name' in call)
}

export function sameCalls(ours: readonly ExpectedCall[], expected: readonly ExpectedCall[]): boolean {
  return ours.length === expected.length && expected.every((call, index) => sameCall(ours[index], call))
}

function sameCall(ours: ExpectedCall | undefined, expected: ExpectedCall): boolean {
  return ours !== undefined && ours.name === expected.name && sameValue(plainNumbers(ours.arguments), plainNumbers(expected.arguments))
}

/** Ignores leading and trailing white space of untyped strings, and number notation. */
function plainNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plainNumbers(entry)]))
}

function shown(value: unknown): string {
  return show({ value }).slice(0, 700)
}
