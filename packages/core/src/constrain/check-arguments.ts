import { limits } from '../base/errors/limits.ts'
import { LinearPattern, UnsupportedPattern } from '../base/pattern/index.ts'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
  stringifyJson,
} from '../base/python/index.ts'

/** A violation of a tool's schema. */
export type ArgumentProblem = {
  /** The path of the argument: `location`, `filters[0].field`; empty for the whole object. */
  path: string
  problem: string
}

/**
 * Checks arguments against a tool's JSON Schema, for the part of it that tools use: types, properties, required, enum, const,
 * items, additionalProperties, limits of numbers, lengths and patterns, anyOf, oneOf, allOf, not, and `$ref` inside the schema.
 * Keywords beyond these are ignored, and so are patterns that cannot be matched in time that grows with the text (back references,
 * looking further than a character). Nothing is thrown: an unusable schema finds no fault, but one that takes too many steps does.
 * `root`: what references point into, where `schema` is only a part of it.
 *
 * @example
 * const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
 * checkArguments({ city: 5 }, schema) // => [{ path: 'city', problem: 'expected a string, found 5' }]
 * checkArguments({}, schema) // => [{ path: 'city', problem: 'is missing' }]
 */
export function checkArguments(value: PyValue, schema: unknown, root = schema): ArgumentProblem[] {
  const problems: ArgumentProblem[] = []
  const budget: Budget = { steps: mostSteps, patterns: new Map() }
  check({ value, path: '', root, report: (path, problem) => problems.push({ path, problem }), depth: 0, budget }, schema)
  if (budget.steps >= 0) return problems
  return [{ path: '', problem: tooManySteps }]
}

/** Schemas come from requests, and nested alternatives multiply. */
const mostSteps = limits.schemaSteps

/** The problem for arguments that could not be checked. */
export const tooManySteps = `could not be checked: the tool's schema takes more than ${mostSteps} steps`

type Place = {
  value: PyValue
  path: string
  /** The whole schema, which `$ref` points into. */
  root: unknown
  report: (path: string, problem: string) => void
  depth: number
  budget: Budget
}

/** The remaining budget, and the patterns compiled so far. */
type Budget = { steps: number; patterns: Map<string, LinearPattern | undefined> }

function check(place: Place, schema: unknown): void {
  if (--place.budget.steps < 0) return
  if (schema === false) place.report(place.path, 'is not allowed')
  if (!isDict(schema) || place.depth > maxDepth) return
  const inner = { ...place, depth: place.depth + 1 }
  const reference = dictGet(schema, '$ref')
  if (typeof reference === 'string') check(inner, resolve(reference, place.root))
  if (!checkType(place, dictGet(schema, 'type'))) return
  checkOneOfValues(place, schema)
  const { value } = place
  const number = asNumber(value)
  if (number !== undefined) checkNumber(place, number, schema)
  else if (typeof value === 'string') checkString(place, value, schema)
  else if (isList(value)) checkList(inner, value, schema)
  else if (isDict(value)) checkDict(inner, value, schema)
  checkCombinations(inner, schema)
}

function checkType({ value, path, report }: Place, type: PyValue | undefined): boolean {
  const types = typeof type === 'string' ? [type] : isList(type) ? type.filter((one) => typeof one === 'string') : []
  const known = types.filter((one) => Object.hasOwn(typeTests, one)) as TypeName[]
  if (known.length === 0 || known.length < types.length || known.some((one) => typeTests[one](value))) return true
  report(path, `expected ${known.map((one) => typeNames[one]).join(' or ')}, found ${show(value)}`)
  return false
}

function checkOneOfValues({ value, path, report, budget }: Place, schema: PyDict): void {
  const allowed = dictGet(schema, 'enum')
  if (isList(allowed) && !allowed.some((one) => isSame(one, value, budget)))
    report(path, `expected one of ${allowed.map(show).join(', ')}, found ${show(value)}`)
  if (dictHas(schema, 'const') && !isSame(dictGet(schema, 'const')!, value, budget))
    report(path, `expected ${show(dictGet(schema, 'const')!)}, found ${show(value)}`)
}

function checkNumber({ value, path, report }: Place, number: number, schema: PyDict): void {
  const limit = (key: string) => asNumber(dictGet(schema, key) ?? null)
  const expect = (holds: boolean, what: string) => holds || report(path, `expected ${what}, found ${show(value)}`)
  const [minimum, maximum, above, below, step] = [
    limit('minimum'),
    limit('maximum'),
    limit('exclusiveMinimum'),
    limit('exclusiveMaximum'),
    limit('multipleOf'),
  ]
  if (minimum !== undefined) expect(number >= minimum, `at least ${minimum}`)
  if (maximum !== undefined) expect(number <= maximum, `at most ${maximum}`)
  if (above !== undefined) expect(number > above, `more than ${above}`)
  if (below !== undefined) expect(number < below, `less than ${below}`)
  // Division by 0.1 and the like is not exact.
  if (step !== undefined && step > 0) expect(Math.abs(number / step - Math.round(number / step)) < 1e-9, `a multiple of ${step}`)
}

function checkString({ value, path, report, budget }: Place, text: string, schema: PyDict): void {
  const limits = [dictGet(schema, 'minLength'), dictGet(schema, 'maxLength')]
  if (limits.some((limit) => limit !== undefined)) {
    budget.steps -= text.length * stepsPerCharacter
    checkSize(path, Array.from(text).length, 'characters', limits, report)
  }
  const pattern = dictGet(schema, 'pattern')
  if (typeof pattern !== 'string') return
  if (matches(pattern, text, budget) === false) report(path, `expected a match of ${pattern}, found ${show(value)}`)
}

function checkList(place: Place, list: readonly PyValue[], schema: PyDict): void {
  const { path, report, budget } = place
  checkSize(path, list.length, 'items', [dictGet(schema, 'minItems'), dictGet(schema, 'maxItems')], report)
  const prefix = dictGet(schema, 'prefixItems')
  const firsts = isList(prefix) ? prefix : []
  const items = dictGet(schema, 'items')
  list.forEach((value, index) => {
    const one = index < firsts.length ? firsts[index] : items
    if (one !== undefined) check({ ...place, value, path: `${path}[${index}]` }, one)
  })
  if (dictGet(schema, 'uniqueItems') === true && list.some((value, index) => isAmong(list, index, value, budget)))
    report(path, 'expected different items, found one twice')
}

function checkDict(place: Place, dict: PyDict, schema: PyDict): void {
  const { path, report } = place
  const pathOf = (key: string) => (path === '' ? key : `${path}.${key}`)
  const required = dictGet(schema, 'required')
  for (const key of isList(required) ? required : []) if (typeof key === 'string' && !dictHas(dict, key)) report(pathOf(key), 'is missing')
  const properties = dictGet(schema, 'properties')
  const patterns = dictGet(schema, 'patternProperties')
  const others = dictGet(schema, 'additionalProperties')
  const byPattern = isDict(patterns) ? dictEntries(patterns) : []
  for (const [key, value] of dictEntries(dict)) {
    const inner = { ...place, value, path: pathOf(key) }
    const own = isDict(properties) ? dictGet(properties, key) : undefined
    const matching = byPattern.filter(([pattern]) => matches(pattern, key, place.budget))
    if (own !== undefined) check(inner, own)
    for (const [, one] of matching) check(inner, one)
    if (own !== undefined || matching.length > 0 || others === undefined) continue
    if (others === false) report(inner.path, 'is not an argument of this tool')
    else check(inner, others)
  }
  checkSize(path, dictEntries(dict).length, 'properties', [dictGet(schema, 'minProperties'), dictGet(schema, 'maxProperties')], report)
}

function checkCombinations(place: Place, schema: PyDict): void {
  const all = dictGet(schema, 'allOf')
  for (const one of isList(all) ? all : []) check(place, one)
  const any = dictGet(schema, 'anyOf')
  if (isList(any) && any.length > 0) {
    const faults = faultsUntil(place, any, (fault) => fault === undefined)
    if (faults.length === any.length && faults.at(-1) !== undefined) place.report(place.path, fitsNone(faults))
  }
  const one = dictGet(schema, 'oneOf')
  if (isList(one) && one.length > 0) {
    const faults = one.map((each) => firstFault(place, each))
    const fitting = faults.filter((fault) => fault === undefined).length
    if (fitting === 0) place.report(place.path, fitsNone(faults))
    else if (fitting > 1) place.report(place.path, `fits ${fitting} possibilities, expected one`)
  }
  if (dictHas(schema, 'not') && firstFault(place, dictGet(schema, 'not')) === undefined) place.report(place.path, 'is not allowed')
}

function fitsNone(faults: readonly (string | undefined)[]): string {
  return `fits none of ${faults.length} possibilities (${faults.join('; ')})`
}

/** The problem of each alternative, up to the first one that decides. */
function faultsUntil(place: Place, schemas: readonly unknown[], isEnough: (fault: string | undefined) => boolean): (string | undefined)[] {
  const faults: (string | undefined)[] = []
  for (const schema of schemas) {
    const fault = firstFault(place, schema)
    faults.push(fault)
    if (isEnough(fault)) break
  }
  return faults
}

/** The first problem of a value; undefined if it fits. */
function firstFault(place: Place, schema: unknown): string | undefined {
  let first: string | undefined
  check({ ...place, report: (path, problem) => (first ??= path === place.path ? problem : `${path} ${problem}`) }, schema)
  return first
}

function checkSize(
  path: string,
  size: number,
  what: string,
  [least, most]: readonly (PyValue | undefined)[],
  report: Place['report'],
): void {
  const [minimum, maximum] = [asNumber(least ?? null), asNumber(most ?? null)]
  if (minimum !== undefined && size < minimum) report(path, `expected at least ${minimum} ${what}, found ${size}`)
  if (maximum !== undefined && size > maximum) report(path, `expected at most ${maximum} ${what}, found ${size}`)
}

/** Resolves `#/$defs/name` inside the schema; external references are ignored. */
function resolve(reference: string, root: unknown): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let found: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const key = unescaped(step).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isDict(found) ? dictGet(found, key) : isList(found) ? found[Number(key)] : undefined
  }
  return found
}

/** Schemas may come from requests: a malformed escape is taken literally. */
function unescaped(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

type TypeName = keyof typeof typeTests

const typeTests = {
  string: (value: PyValue) => typeof value === 'string',
  number: (value: PyValue) => asNumber(value) !== undefined,
  integer: (value: PyValue) => typeof value === 'bigint' || Number.isInteger(asNumber(value)),
  boolean: (value: PyValue) => typeof value === 'boolean',
  null: (value: PyValue) => value === null,
  array: (value: PyValue) => isList(value),
  object: (value: PyValue) => isDict(value),
}

const typeNames: Record<TypeName, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
}

function asNumber(value: PyValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return value instanceof PyFloat ? value.value : undefined
}

function isAmong(list: readonly PyValue[], end: number, value: PyValue, budget: Budget): boolean {
  for (let index = 0; index < end && budget.steps >= 0; index++) if (isSame(list[index]!, value, budget)) return true
  return false
}

function isSame(a: PyValue, b: PyValue, budget: Budget): boolean {
  if (--budget.steps < 0) return false
  if (typeof a === 'bigint' || typeof b === 'bigint') return a === b
  const [x, y] = [asNumber(a), asNumber(b)]
  if (x !== undefined || y !== undefined) return x === y
  if (isList(a)) return isList(b) && a.length === b.length && a.every((one, index) => isSame(one, b[index]!, budget))
  if (!isDict(a)) return a === b
  if (!isDict(b)) return false
  const entries = dictEntries(a)
  return entries.length === dictEntries(b).length && entries.every(([key, one]) => dictHas(b, key) && isSame(one, dictGet(b, key)!, budget))
}

/** Whether a text matches a pattern of an untrusted schema; undefined if the pattern is not supported. */
function matches(pattern: string, text: string, budget: Budget): boolean | undefined {
  if (!budget.patterns.has(pattern)) budget.patterns.set(pattern, readPattern(pattern))
  const read = budget.patterns.get(pattern)
  if (!read) return undefined
  budget.steps -= read.size * (text.length + 1) * stepsPerCharacter
  return budget.steps < 0 ? undefined : read.test(text)
}

/** A step of a pattern takes about a hundredth of the time of a step of a schema. */
const stepsPerCharacter = 0.01

function readPattern(pattern: string): LinearPattern | undefined {
  try {
    return new LinearPattern(pattern, 'u')
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined
    throw error
  }
}

function show(value: PyValue): string {
  const text = stringifyJson(beginning(value, { values: mostShown }))
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

const mostShown = 60

/** The beginning of a value, which may be large and shown many times. */
function beginning(value: PyValue, left: { values: number }): PyValue {
  left.values--
  if (typeof value === 'string') return value.slice(0, mostShown + 1)
  const isLeft = () => left.values > 0
  if (isList(value)) return takeWhile(value, isLeft).map((one) => beginning(one, left))
  if (!isDict(value)) return value
  return dictFromEntries(takeWhile(dictEntries(value), isLeft).map(([key, one]) => [key.slice(0, mostShown + 1), beginning(one, left)]))
}

/** The first items and one more, so that the truncation is visible. */
function takeWhile<Item>(items: readonly Item[], test: () => boolean): Item[] {
  const taken: Item[] = []
  for (const item of items) {
    taken.push(item)
    if (!test() || taken.length > mostShown) break
  }
  return taken
}

/** Deeper than any tool's arguments: a schema that refers to itself must not run forever. */
const maxDepth = 200
