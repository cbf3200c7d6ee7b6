import type { InputOrigin, RenderedPieces } from '@rolecall/core/internal/jinja'
import type { Limits } from '@rolecall/core/internal/python'
import { isDict, isList, PyFloat, type PyValue, unsupportedType } from '@rolecall/core/internal/python'

/** A request to the template thread. The source is sent every time, because a replaced thread has an empty cache. */
export type TemplateThreadRequest = {
  source: string
  name: string
  isTraced?: boolean
  changesLists?: boolean
  /** Omitted if only the variable names are needed. */
  render?: {
    kind: 'text' | 'marked' | 'pieces'
    variables: Readonly<Record<string, unknown>>
    /** The origin of each variable's strings, for pieces. */
    origins: Readonly<Record<string, InputOrigin>>
    clock: Date
    limits?: Partial<Limits>
    /** Processor time that it may take, if its command limits that. */
    milliseconds?: number
  }
}

/** The thread's reply. Errors are sent by their fields, because structured cloning loses the class. */
export type TemplateThreadReply =
  | { kind: 'names'; names: readonly string[] }
  | { kind: 'rendered'; rendered: Partial<RenderedPieces> & { text: string } }
  | { kind: 'template-error'; details: ErrorDetails }
  | { kind: 'prompt-error'; code: string; where: string; problem: string; fix: string }
  | { kind: 'failed'; message: string }

export type ErrorDetails = { type: string; reason: string; line: number; column: number; expression: string; name: string }

/** Indexes into the shared counters: questions sent, questions answered, and whether the thread is ready. */
export const asked = 0
export const answered = 1
export const ready = 2

/** Waits until a counter changes and returns it, or its old value on time-out. Handles spurious wake-ups. */
export function changed(counts: Int32Array, index: number, before: number, milliseconds = Number.POSITIVE_INFINITY): number {
  const end = performance.now() + milliseconds
  for (let left = milliseconds; left > 0; left = end - performance.now()) {
    const now = Atomics.load(counts, index)
    if (now !== before) return now
    Atomics.wait(counts, index, before, left)
  }
  return Atomics.load(counts, index)
}

/**
 * Converts a value so that structured cloning keeps it: floats such as `1.0`, which are class instances, become boxed numbers.
 * Values without a Python equivalent throw, as they do when rendered.
 */
export function toMessage(value: PyValue): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw unsupportedType(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof PyFloat) return Object(value.value)
  if (isList(value)) return value.map(toMessage)
  if (!isDict(value)) throw unsupportedType(value)
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [key, toMessage(entry)]))
  // Not by assignment: a key may be __proto__.
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toMessage(entry)]))
}

/** The inverse of `toMessage`. */
export function fromMessage(value: unknown): PyValue {
  if (typeof value !== 'object' || value === null) return value as PyValue
  if (value instanceof Number) return new PyFloat(value.valueOf())
  if (Array.isArray(value)) return value.map(fromMessage)
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [key as string, fromMessage(entry)]))
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fromMessage(entry)]))
}
