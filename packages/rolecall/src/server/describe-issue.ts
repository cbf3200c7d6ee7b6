import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Describes a schema violation in a request, to follow its path: "max_tokens: missing". */
export function describeIssue(issue: Issue, body: unknown): string {
  const found = valueAt(body, issue.path)
  switch (issue.code) {
    case 'invalid_type':
      return mismatch(typeName(issue.expected), found)
    case 'invalid_value':
      return mismatch(issue.values.map((value) => JSON.stringify(value)).join(' or '), found)
    case 'invalid_union':
      return found === undefined ? 'missing' : unionProblem(issue, found)
    case 'too_small':
    case 'too_big':
      return boundProblem(issue, found)
    case 'unrecognized_keys':
      return `unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
    default:
      return issue.message
  }
}

/** A path in the body, in JavaScript notation. */
export function issuePath(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`)).join('')
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function typeName(type: string): string {
  return typeNames[type] ?? type
}

function mismatch(expected: string, found: unknown): string {
  return found === undefined ? 'missing' : `expected ${expected}, got ${preview(found)}`
}

function boundProblem(issue: Issue & { code: 'too_small' | 'too_big' }, found: unknown): string {
  const isMinimum = issue.code === 'too_small'
  const limit = String(isMinimum ? issue.minimum : issue.maximum)
  const bound = `${isMinimum ? 'at least' : 'at most'} ${limit}`
  if (issue.origin === 'string') return `expected ${bound} ${limit === '1' ? 'character' : 'characters'}`
  if (issue.origin === 'array' || issue.origin === 'set') return `expected ${bound} ${limit === '1' ? 'entry' : 'entries'}`
  return `expected ${issue.inclusive === false ? `${isMinimum ? 'more' : 'less'} than ${limit}` : bound}, got ${preview(found)}`
}

/** Lists the alternatives if they are simple types or values; otherwise describes the problem of the closest one. */
function unionProblem(issue: Issue & { code: 'invalid_union' }, found: unknown): string {
  if (issue.discriminator !== undefined) {
    const tag = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[issue.discriminator] : found
    return tag === undefined ? 'missing' : `unsupported value ${preview(tag)}`
  }
  const [closest] = issue.errors.toSorted((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))
  const inner = closest?.[0]
  if (inner !== undefined && inner.path.length > 0) return `${issuePath(inner.path)}: ${describeIssue(inner, found)}`
  const values = issue.errors.flatMap(([one]) => (one?.code === 'invalid_value' ? one.values.map((value) => JSON.stringify(value)) : []))
  const types = issue.errors.flatMap(([one]) => (one?.code === 'invalid_type' ? [typeName(one.expected)] : []))
  const alternatives = [...new Set([...values, ...types])]
  return alternatives.length === 0 ? issue.message : mismatch(alternatives.join(' or '), found)
}

function preview(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'number' && !Number.isFinite(value)) return describeNonFinite(value)
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** JSON has numbers of any size, and no NaN; programs in other languages would read another number. */
export function describeNonFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN, which JSON does not have' : `${value}, or larger than a number can be (about 1.8e308)`
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
