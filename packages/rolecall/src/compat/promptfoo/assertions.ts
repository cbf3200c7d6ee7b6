import { LinearPattern } from '@rolecall/core/internal/pattern'

/** An assertion of a test, with its variables filled in. */
export type Assertion = { type: string; value?: unknown; weight?: number }

type Check = (output: string, value: unknown) => boolean

const listOf = (value: unknown): string[] => {
  const items = Array.isArray(value) ? value : String(value ?? '').split(',')
  return items.map((item) => String(item).trim())
}
const lower = (text: string) => text.toLowerCase()

/** The assertions that need neither a model nor a program of the user. */
const checks: Readonly<Record<string, Check>> = {
  equals: (output, value) => (typeof value === 'object' && value !== null ? isSameJson(output, value) : output === String(value)),
  contains: (output, value) => output.includes(String(value)),
  icontains: (output, value) => lower(output).includes(lower(String(value))),
  'contains-all': (output, value) => listOf(value).every((one) => output.includes(one)),
  'contains-any': (output, value) => listOf(value).some((one) => output.includes(one)),
  'icontains-all': (output, value) => listOf(value).every((one) => lower(output).includes(lower(one))),
  'icontains-any': (output, value) => listOf(value).some((one) => lower(output).includes(lower(one))),
  'starts-with': (output, value) => output.startsWith(String(value)),
  regex: (output, value) => patternOf(String(value)).exec(output) !== undefined,
  'is-json': (output) => parsed(output) !== undefined,
}

/**
 * Whether an output fulfils an assertion; `not-` inverts any.
 *
 * @example isFulfilled({ type: 'not-icontains', value: 'sorry' }, 'SORRY, no') // => false
 */
export function isFulfilled({ type, value }: Assertion, output: string): boolean {
  const isNegated = type.startsWith('not-')
  const check = checks[isNegated ? type.slice('not-'.length) : type]
  if (check === undefined) throw new TypeError(`the assertion "${type}" was not refused by whyUnsupported`)
  return check(output, value) !== isNegated
}

/** Whether a judge must read the output. */
export function isRubric({ type }: Pick<Assertion, 'type'>): boolean {
  return type === 'llm-rubric'
}

/** Why an assertion cannot be evaluated; undefined if it can. */
export function whyUnsupported({ type, value }: Assertion): string | undefined {
  const name = type.replace(/^not-/, '')
  if (name === 'is-json' && value !== undefined) return 'is-json with a schema is not supported'
  if (Object.hasOwn(checks, name) && value === undefined && name !== 'is-json') return `${type} has no value`
  if (name === 'regex') return whyNoPattern(String(value))
  if (Object.hasOwn(checks, name)) return undefined
  if (isRubric({ type })) return typeof value === 'string' ? undefined : 'llm-rubric has no text'
  if (name === 'javascript' || name === 'python') return `${type} would run code of the config outside a sandbox`
  return `${type} is not supported`
}

const patterns = new Map<string, LinearPattern>()

function patternOf(source: string): LinearPattern {
  const pattern = patterns.get(source) ?? new LinearPattern(source)
  patterns.set(source, pattern)
  return pattern
}

function whyNoPattern(source: string): string | undefined {
  try {
    patternOf(source)
    return undefined
  } catch (error) {
    return `the regular expression ${source} is not supported: ${(error as Error).message}`
  }
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
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
