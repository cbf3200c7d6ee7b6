import type { Reply } from '../../src/index.ts'
import { plainVector } from '../chat/parse-vector.ts'
import { sameValue } from '../outcome.ts'
import type { ExpectedCall, ReplyVector } from './vector.ts'

export type Difference = { field: 'reasoning' | 'calls' | 'content'; problem: string }

/** The difference between a reply and a vector's expected reply; undefined if there is none. */
export function difference(vector: ReplyVector, reply: Reply): Difference | undefined {
  const calls = callsOf(reply)
  if (vector.malformed) {
    const complete = vector.complete_calls ?? []
    if (complete.every((call, index) => sameCall(calls[index], call))) return undefined
    return { field: 'calls', problem: `calls ${show(calls)}, expected first ${show(complete)}` }
  }
  const { reasoning, content, calls: expected } = vector.expected
  if (reply.reasoning.trim() !== (reasoning ?? '').trim())
    return { field: 'reasoning', problem: `reasoning ${show(reply.reasoning)}, expected ${show(reasoning ?? '')}` }
  if (expected && !(calls.length === expected.length && expected.every((call, index) => sameCall(calls[index], call))))
    return { field: 'calls', problem: `calls ${show(calls)}, expected ${show(expected)}; ${show(reply.problems)}` }
  if (typeof content === 'string' && !sameContent(reply.text, content, vector.content_loose === true))
    return { field: 'content', problem: `content ${show(reply.text)}, expected ${show(content)}` }
  return undefined
}

export function sameContent(a: string, b: string, isLoose: boolean): boolean {
  return isLoose ? a.replace(/\s+/gu, '') === b.replace(/\s+/gu, '') : a.trim() === b.trim()
}

function callsOf(reply: Reply): ExpectedCall[] {
  return reply.calls.flatMap((call) => (call.kind === 'call' ? [{ name: call.name, arguments: plainVector(call.arguments) }] : []))
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

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)).slice(0, 700)
}
