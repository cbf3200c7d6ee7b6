import type { Quirks } from '../fidelity/quirks.ts'
import type { Checked, Checker, Issue } from '../schema/issue.ts'
import { kindOf } from './check-options.ts'
import { nearestName, suggestName } from './nearest.ts'
import type { Note } from './note.ts'
import { PromptError } from './prompt-error.ts'

export { kindOf } from './check-options.ts'

type Path = readonly PropertyKey[]

/**
 * Checks user input against its schema. Throws the first mistake with its path and a fix. Under the quirk `unknown-key`, unknown keys are
 * dropped with a note.
 */
export function check<Schema extends Checker<unknown>>(
  schema: Schema,
  value: unknown,
  where: string,
  options: { quirks?: Quirks; notes?: Note[] } = {},
): Checked<Schema> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError('a schema with asynchronous checks')
  if (result.issues === undefined) return result.value as Checked<Schema>
  const { path, issue } = innermost(result.issues[0] as Issue)
  if (issue.code === 'unrecognized_keys' && options.quirks?.has('unknown-key')) {
    for (const key of issue.keys) options.notes?.push(unknownKeyNote(placeOf(where, [...path, key]), key))
    return check(schema, withoutKeys(value, path, new Set(issue.keys)), where, options)
  }
  throw asPromptError(schema, issue, path, value, where)
}

/** The error of a stricter check as a note: for input that the reference renders and we refuse by default. */
export function whatIsRefused(stricterCheck: () => unknown): Note[] {
  try {
    stricterCheck()
    return []
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return [{ code: 'refused-by-default', where: error.where, text: error.problem }]
  }
}

/** `template.begin[0].role`, as a user would access it. */
export function placeOf(where: string, path: Path): string {
  if (path.length === 0) return where.replace(/ › $/, '')
  let place = where
  for (const key of path) {
    if (typeof key === 'number') place += `[${key}]`
    else if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(String(key)))
      place += place === '' || place.endsWith(' › ') ? String(key) : `.${String(key)}`
    else place += `[${JSON.stringify(String(key))}]`
  }
  return place
}

function unknownKeyNote(where: string, key: string): Note {
  return { code: 'unknown-key', where, text: `"${key}" is not known here and was ignored` }
}

/** A union fails in all its branches; the branch with the fewest mistakes is the intended one. */
function innermost(issue: Issue): { issue: Issue; path: Path } {
  let current = issue
  let path: Path = issue.path
  while (current.code === 'invalid_union') {
    const branches = current.errors.filter((issues) => issues.length > 0 && !isWrongKind(issues[0]!))
    const chosen = branches.sort((a, b) => mistakes(a) - mistakes(b) || b[0]!.path.length - a[0]!.path.length)[0]?.[0]
    if (!chosen) break
    path = [...path, ...chosen.path]
    current = chosen
  }
  return { issue: current, path }
}

function mistakes(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
}

function isWrongKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'custom')
}

function asPromptError(schema: Checker<unknown>, issue: Issue, path: Path, root: unknown, where: string): PromptError {
  const found = valueAt(root, path)
  switch (issue.code) {
    case 'unrecognized_keys': {
      const key = issue.keys[0]!
      const known = keysAt(schema, path)
      return new PromptError('unknown-key', {
        where: placeOf(where, [...path, key]),
        problem: `"${key}" is not known here`,
        fix: known.length > 0 ? suggestName(key, known) : 'remove it',
      })
    }
    case 'invalid_type':
      return wrongType(where, path, root, found, `expected ${article(issue.expected)}`)
    case 'invalid_union':
      return wrongType(where, path, root, found, `expected ${describeUnion(issue)}`)
    case 'invalid_value':
      return new PromptError('wrong-value', {
        where: placeOf(where, path),
        problem: `${kindOf(found)} is not allowed here`,
        fix: chooseOne(found, issue.values.map(String)),
      })
    case 'too_small': {
      const place = placeOf(where, path)
      if (issue.origin === 'array')
        return new PromptError('empty', { where: place, problem: 'the list is empty', fix: 'give it at least one entry' })
      if (issue.origin === 'string')
        return new PromptError('empty', { where: place, problem: 'the string is empty', fix: 'write some text, or leave the key out' })
      const least =
        issue.inclusive === false ? `a number above ${issue.minimum}, such as ${Number(issue.minimum) + 1}` : `${issue.minimum} or more`
      return new PromptError('wrong-value', { where: place, problem: `${kindOf(found)} is too small`, fix: `use ${least}` })
    }
    default:
      return new PromptError('wrong-value', { where: placeOf(where, path), problem: issue.message, fix: 'see docs/configuration.md' })
  }
}

function chooseOne(found: unknown, values: readonly string[]): string {
  const near = typeof found === 'string' ? nearestName(found, values) : undefined
  return `${near === undefined ? '' : `did you mean "${near}"? `}use one of: ${values.join(', ')}`
}

function wrongType(where: string, path: Path, root: unknown, found: unknown, expected: string): PromptError {
  const key = path.at(-1)
  if (found === undefined && key !== undefined) {
    const parent = valueAt(root, path.slice(0, -1))
    const near = typeof parent === 'object' && parent !== null ? nearestName(String(key), Object.keys(parent)) : undefined
    return new PromptError('missing', {
      where: placeOf(where, path),
      problem: `"${String(key)}" is missing`,
      fix: near === undefined ? `add it (${expected})` : `did you mean it by "${near}"?`,
    })
  }
  return new PromptError('wrong-type', {
    where: placeOf(where, path),
    problem: `${expected}, found ${kindOf(found)}`,
    fix: expected.replace('expected', 'write'),
  })
}

function article(kind: string): string {
  const words: Record<string, string> = {
    nonoptional: 'a value',
    array: 'a list',
    object: 'an object',
    record: 'an object',
    int: 'an integer',
  }
  return words[kind] ?? (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`)
}

function describeUnion({ errors }: Issue & { code: 'invalid_union' }): string {
  const words = errors.flatMap(([first]) => (first?.code === 'invalid_type' && first.path.length === 0 ? [article(first.expected)] : []))
  return [...new Set(words)].join(' or ') || 'something else'
}

function valueAt(root: unknown, path: Path): unknown {
  let value: unknown = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined
  }
  return value
}

/** What schemas are defined by, ours and zod's in the same words. */
type Definition = {
  type: string
  shape?: Readonly<Record<string, Defined>>
  element?: Defined
  valueType?: Defined
  options?: readonly Defined[]
  innerType?: Defined
}
type Defined = { def: Definition }

/** The keys that the schema knows at a path; a union knows those of all its objects. */
function keysAt(schema: Checker<unknown>, path: Path): string[] {
  let found = unwrap(schema as Partial<Defined> as Defined)
  for (const key of path) {
    found = found.flatMap(({ shape, element, valueType }) => unwrap(shape ? shape[String(key)] : (element ?? valueType)))
  }
  return [...new Set(found.flatMap(({ shape }) => Object.keys(shape ?? {})))]
}

function unwrap(schema: Defined | undefined): Definition[] {
  if (!schema) return []
  const { def } = schema
  if (def.options) return def.options.flatMap(unwrap)
  return def.innerType ? unwrap(def.innerType) : [def]
}

function withoutKeys(value: unknown, path: Path, keys: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const [head, ...rest] = path
  if (head === undefined) return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)))
  if (Array.isArray(value)) return value.map((entry, index) => (index === head ? withoutKeys(entry, rest, keys) : entry))
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, key === head ? withoutKeys(entry, rest, keys) : entry]))
}
