import { dictEntries, dictGet, isDict, PyFloat, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { PromptError } from '../../../packages/rolecall/src/index.ts'

/** One operation of the reference: retrieval, post-processing or evaluation. */
export type ScoringVector = {
  id: string
  op: string
  /** As Python sees them: 1.0 stays a float. */
  args: Record<string, PyValue>
  expected: { value: unknown } | undefined
  flags: readonly string[]
}

export function asVector(json: PyValue): ScoringVector {
  if (!isDict(json)) throw new Error('a vector is an object')
  const expected = dictGet(json, 'expected')
  return {
    id: String(dictGet(json, 'id')),
    op: String(dictGet(json, 'op')),
    args: Object.fromEntries(dictEntries(dictGet(json, 'args') as Record<string, PyValue>).map(([key, value]) => [key, numbers(value)])),
    expected: dictGet(json, 'error') === undefined ? { value: plain(expected ?? null) } : undefined,
    flags: plain(dictGet(json, 'flags') ?? []) as string[],
  }
}

/** `{"$number": "NaN"}` represents NaN. */
function numbers(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(numbers)
  if (!isDict(value)) return value
  const special = dictGet(value, '$number')
  if (special !== undefined) return Number(special)
  return Object.fromEntries(dictEntries(value).map(([key, entry]) => [key, numbers(entry)]))
}

/** The JSON representation: floats as numbers, dicts as objects. */
export function plain(value: unknown): unknown {
  if (value instanceof PyFloat) return value.value
  if (Array.isArray(value)) return value.map(plain)
  if (!isDict(value)) return value
  const special = dictGet(value, '$number')
  if (special !== undefined) return Number(special)
  return Object.fromEntries(dictEntries(value).map(([key, entry]) => [key, plain(entry)]))
}

/** Equality with a numeric tolerance: relative to the expected value, or absolute if that is small. */
export function near(ours: unknown, expected: unknown, tolerance: number): boolean {
  if (typeof ours === 'number' && typeof expected === 'number') {
    return Object.is(ours, expected) || Math.abs(ours - expected) <= tolerance * Math.max(1, Math.abs(expected))
  }
  if (typeof ours !== 'object' || typeof expected !== 'object' || ours === null || expected === null) return ours === expected
  if (Array.isArray(ours) !== Array.isArray(expected)) return false
  const keys = Object.keys(expected)
  return (
    keys.length === Object.keys(ours).length &&
    keys.every((key) => Object.hasOwn(ours, key) && near((ours as Dict)[key], (expected as Dict)[key], tolerance))
  )
}

type Dict = Record<string, unknown>

/** The reference fails with a division by zero; Rolecall fails with its own message. */
export function refuse(problem: string): never {
  throw new PromptError('nothing-to-score', { where: 'the rows', problem, fix: 'give at least one' })
}
