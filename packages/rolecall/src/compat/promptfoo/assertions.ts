import { checkArguments } from '@rolecall/core/internal/constrain'
import { LinearPattern } from '@rolecall/core/internal/pattern'
import { parseJson } from '@rolecall/core/internal/python'
import { levenshtein } from '../opencompass/evaluators/edit-distance.ts'
import type { JavaScript } from './call-javascript.ts'
import { commaSeparated } from './csv-tests.ts'

/** An assertion of a test, with its variables filled in. */
export type Assertion = {
  type: string
  value?: unknown
  weight?: number
  threshold?: number
  metric?: string
  /** What the assertion looks at, made of the output. */
  transform?: JavaScript
  /** The function of `javascript`, and a regular expression that needs one. */
  javascript?: JavaScript
  /** What the function is given as `context.config`. */
  config?: unknown
  /** The members of an `assert-set`. */
  assert?: Assertion[]
}

type Check = (output: string, value: unknown, assertion: Pick<Assertion, 'threshold'>) => boolean

const listed = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : commaSeparated(String(value ?? '')))
const lower = (text: string) => text.toLowerCase()

/** The assertions that need neither a model nor a program of the user. */
const checks: Readonly<Record<string, Check>> = {
  equals: (output, value) => (typeof value === 'object' && value !== null ? isSameJson(output, value) : output === String(value)),
  contains: (output, value) => output.includes(String(value)),
  icontains: (output, value) => lower(output).includes(lower(String(value))),
  'contains-all': (output, value) => listed(value).every((one) => output.includes(one)),
  'contains-any': (output, value) => listed(value).some((one) => output.includes(one)),
  'icontains-all': (output, value) => listed(value).every((one) => lower(output).includes(lower(one))),
  'icontains-any': (output, value) => listed(value).some((one) => lower(output).includes(lower(one))),
  'starts-with': (output, value) => output.startsWith(String(value)),
  regex: (output, value) => patternOf(String(value)).exec(output) !== undefined,
  'is-json': (output, value) => {
    const found = parsed(output)
    return found !== undefined && fits(found.value, value)
  },
  'contains-json': (output, value) => objectsIn(output).some((one) => fits(one, value)),
  levenshtein: (output, value, { threshold = 5 }) => isWithin(output, String(value), threshold),
  'word-count': (output, value) => {
    const count = output.trim() === '' ? 0 : output.trim().split(/\s+/).length
    if (typeof value !== 'object' || value === null) return count === Number(value)
    const { min = 0, max = Number.POSITIVE_INFINITY } = value as { min?: number; max?: number }
    return count >= min && count <= max
  },
}

const withoutValue: readonly string[] = ['is-json', 'contains-json']

/**
 * Whether an output fulfils an assertion; `not-` inverts any.
 *
 * @example isFulfilled({ type: 'not-icontains', value: 'sorry' }, 'SORRY, no') // => false
 */
export function isFulfilled({ type, value, threshold }: Assertion, output: string): boolean {
  const check = checks[plainType(type)]
  if (check === undefined) throw new TypeError(`the assertion "${type}" was not refused by whyUnsupported`)
  return check(output, value, threshold === undefined ? {} : { threshold }) !== isNegated(type)
}

export function isNegated(type: string): boolean {
  return type.startsWith('not-')
}

function plainType(type: string): string {
  return type.replace(/^not-/, '')
}

/** Whether a judge must read the output. */
export function isRubric({ type }: Pick<Assertion, 'type'>): boolean {
  return plainType(type) === 'llm-rubric'
}

/** The rubrics of assertions and of their sets, in the order in which a judge is asked. */
export function rubricsIn(assertions: readonly Assertion[]): string[] {
  return assertions.flatMap((one) => (one.assert ? rubricsIn(one.assert) : isRubric(one) ? [String(one.value)] : []))
}

/** Why an assertion cannot be evaluated; undefined if it can. */
export function whyUnsupported({ type, value, javascript }: Assertion): string | undefined {
  const name = plainType(type)
  if (Object.hasOwn(checks, name) && (value === undefined || value === null) && !withoutValue.includes(name)) return `${type} has no value`
  if (Object.hasOwn(checks, name)) return undefined
  if (isRubric({ type })) return typeof value === 'string' ? undefined : `${type} has no text`
  if (name === 'javascript' && javascript) return undefined
  if (name === 'python' || name === 'ruby') return `${type} would run code of the config outside a sandbox`
  return `${type} is not supported`
}

const mostPatterns = 1_000
const patterns = new Map<string, LinearPattern>()

function patternOf(source: string): LinearPattern {
  const pattern = patterns.get(source) ?? new LinearPattern(source)
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(source, pattern)
  return pattern
}

/** Whether a regular expression runs in linear time here; others run in the sandbox, which stops them. */
export function isLinearPattern(source: string): boolean {
  try {
    patternOf(source)
    return true
  } catch {
    return false
  }
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function fits(value: unknown, schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true
  return checkArguments(parseJson(JSON.stringify(value)), schema as Record<string, unknown>).length === 0
}

/** How many places of a text are tried as the start of an object. */
const mostStarts = 1_000

/** The JSON objects in a text, outermost first. */
function objectsIn(text: string): unknown[] {
  const objects: unknown[] = []
  for (let at = text.indexOf('{'), tries = 0; at >= 0 && tries < mostStarts; at = text.indexOf('{', at), tries++) {
    const end = endOfObject(text, at)
    const found = end === undefined ? undefined : parsed(text.slice(at, end))
    if (found) objects.push(found.value)
    at = found && end !== undefined ? end : at + 1
  }
  return objects
}

const longestObject = 100_000

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < Math.min(text.length, start + longestObject); at++) {
    const character = text[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === '{') depth++
    else if (!isQuoted && character === '}' && --depth === 0) return at + 1
  }
  return undefined
}

/** Longer texts are not compared: the time grows with the product of their lengths. */
const longestCompared = 20_000

/** Whether the edit distance of two texts is at most `most`. */
function isWithin(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most || Math.max(one.length, other.length) > longestCompared) return false
  return levenshtein(one, other) <= most
}

function isSameJson(output: string, value: unknown): boolean {
  const found = parsed(output)
  return found !== undefined && canonical(found.value) === canonical(value)
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}
