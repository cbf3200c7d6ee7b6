import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** What is wrong at a place of a request, in words that fit behind it: "max_tokens: it is missing". */
export function tellIssue(issue: Issue, body: unknown): string {
  const found = valueAt(body, issue.path)
  switch (issue.code) {
    case 'invalid_type':
      return found === undefined ? 'it is missing' : `it has to be ${kinds[issue.expected] ?? issue.expected}, and is ${shown(found)}`
    case 'invalid_value':
      return found === undefined ? 'it is missing' : `it has to be ${oneOf(issue.values)}, and is ${shown(found)}`
    case 'invalid_union':
      return found === undefined ? 'it is missing' : unionProblem(issue, found)
    case 'too_small':
    case 'too_big':
      return `${boundOf(issue)}, and ${issue.origin === 'number' || issue.origin === 'int' ? `is ${shown(found)}` : 'does not'}`
    case 'unrecognized_keys':
      return `there is no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
    default:
      return issue.message
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function boundOf(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const limit = String(issue.code === 'too_small' ? issue.minimum : issue.maximum)
  const atMost = issue.code === 'too_small' ? 'at least' : 'at most'
  if (issue.origin === 'string') return `it has to have ${atMost} ${limit} ${limit === '1' ? 'character' : 'characters'}`
  if (issue.origin === 'array' || issue.origin === 'set') return `it has to have ${atMost} ${limit} ${limit === '1' ? 'entry' : 'entries'}`
  return issue.inclusive === false
    ? `it has to be ${issue.code === 'too_small' ? 'above' : 'below'} ${limit}`
    : `it has to be ${atMost} ${limit}`
}

/** Where the shapes differ only in their kind, which kinds there are; else what is wrong with the one that comes closest. */
function unionProblem(issue: Issue & { code: 'invalid_union' }, found: unknown): string {
  if (issue.discriminator !== undefined) {
    const told = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[issue.discriminator] : found
    return told === undefined ? 'it is missing' : `${shown(told)} is not known here`
  }
  const [closest] = issue.errors.toSorted((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))
  const inside = closest?.[0]
  if (inside !== undefined && inside.path.length > 0) return `${pathOf(inside.path)}: ${tellIssue(inside, found)}`
  const expected = issue.errors.flatMap(([one]) => (one?.code === 'invalid_type' ? [kinds[one.expected] ?? one.expected] : []))
  const values = issue.errors.flatMap(([one]) => (one?.code === 'invalid_value' ? one.values.map((value) => JSON.stringify(value)) : []))
  const known = [...new Set([...values, ...expected])]
  return known.length === 0 ? issue.message : `it has to be ${known.join(' or ')}, and is ${shown(found)}`
}

function oneOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ')
}

/** A value, short enough to be told. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

/** A place in a body, as JavaScript writes it. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`)).join('')
}
