import { UnsupportedPattern } from '../../base/pattern/index.ts'
import type { Shape } from '../shape.ts'
import { type Automaton, TooLarge } from '../text/automaton.ts'
import { both, lengthAutomaton, otherTexts, quoted } from '../text/combine.ts'
import { otherThan } from '../text/complement.ts'
import { decimalsOf, fractionDigits, integerAutomaton, type NumberLimits, numberAutomaton } from '../text/number-automaton.ts'
import { patternAutomaton } from '../text/pattern-automaton.ts'
import { formats } from '../text/string-formats.ts'
import type { WorkBudget } from '../work-budget.ts'
import type { SchemaPart } from './json-schema.ts'
import { atLeast, atMost, numbersOf } from './limits-of.ts'
import { excludedPatterns, excludedStrings } from './negate.ts'
import type { SchemaCompiler } from './schema-compiler.ts'

/** The largest step whose multiples are enforced: each remainder is a state. */
const largestStep = 1000

/** A number within the limits of all schemas. */
export function numberShape(found: readonly SchemaPart[], { parts }: SchemaCompiler, isInteger: boolean): Shape {
  const highest = (keyword: string) => optional(Math.max(...numbersOf(found, keyword, parts)))
  const lowest = (keyword: string) => optional(Math.min(...numbersOf(found, keyword, parts)))
  const limits = {
    minimum: highest('minimum'),
    exclusiveMinimum: highest('exclusiveMinimum'),
    maximum: lowest('maximum'),
    exclusiveMaximum: lowest('exclusiveMaximum'),
  }
  const steps = [...new Set(numbersOf(found, 'multipleOf', parts))]
  const pointerOf = (...keywords: string[]) => {
    const part = found.find(({ schema }) => keywords.some((keyword) => keyword in schema))
    return part ? `${part.pointer}/${keywords.find((keyword) => keyword in part.schema)}` : '#'
  }
  const multipleOf = steps.length === 0 ? undefined : commonStep(steps, isInteger)
  if (multipleOf === null) {
    throw parts.refuse(
      pointerOf('multipleOf'),
      `multipleOf cannot be enforced here: only up to ${largestStep} units of its last decimal, with at most ${mostDecimals} decimals`,
      'leave multipleOf out, and check it in what comes back',
    )
  }
  const automaton = numbersWithin({ ...limits, multipleOf }, isInteger, parts.budget)
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = limits
  if (automaton.isEmpty && !isInteger && multipleOf === undefined && minimum <= maximum && exclusiveMinimum < exclusiveMaximum) {
    const keywords = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum']
    if (minimum < exclusiveMaximum && exclusiveMinimum < maximum)
      throw parts.refuse(
        pointerOf(...keywords),
        `no number within these limits can be written with ${fractionDigits} decimals`,
        'use other limits, or another unit',
      )
  }
  return { kind: 'text', automaton }
}

/** Decimals of a step. */
const mostDecimals = 9

/** The smallest number that all steps divide; null if it cannot be enforced. */
function commonStep(steps: readonly number[], isInteger: boolean): number | null {
  if (steps.some((step) => !(step > 0))) return null
  const decimals = Math.max(...steps.map(decimalsOf))
  if (decimals > mostDecimals) return null
  const unit = 10 ** decimals
  // An integer is a multiple of 1.
  const units = [...steps.map((step) => Math.round(step * unit)), ...(isInteger ? [unit] : [])]
  const common = units.reduce((one, other) => (one / greatestDivisor(one, other)) * other)
  const step = isInteger ? common / unit : common
  return step <= largestStep ? common / unit : null
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other)
}

/** Schemas repeat the same numbers, so their automata are cached. */
const known = new Map<string, Automaton>()
const mostKnown = 64

function numbersWithin(limits: NumberLimits, isInteger: boolean, budget: WorkBudget): Automaton {
  const key = JSON.stringify([
    isInteger,
    limits.minimum,
    limits.exclusiveMinimum,
    limits.maximum,
    limits.exclusiveMaximum,
    limits.multipleOf,
  ])
  const found = known.get(key)
  if (found) return found
  const made = isInteger ? integerAutomaton(limits, budget) : numberAutomaton(limits, budget)
  if (known.size >= mostKnown) known.clear()
  known.set(key, made)
  return made
}

function optional(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

/** A string with the lengths, patterns and formats of all schemas. */
export function stringShape(found: readonly SchemaPart[], { parts }: SchemaCompiler): Shape {
  const least = atLeast(found, 'minLength', parts)
  const most = atMost(found, 'maxLength', parts)
  const { budget } = parts
  const contents = found.flatMap((part) => [...readPattern(part), ...readFormat(part), ...readExcluded(part)])
  if (contents.length === 0) return { kind: 'string', least, most }
  const { pointer } = found.find(({ schema }) => 'pattern' in schema || 'format' in schema) ?? found[0]!
  return enforce(pointer, 'pattern', () => {
    const hasLength = least > 0 || most < Number.POSITIVE_INFINITY
    const all = hasLength ? [...contents, lengthAutomaton(least, most, budget)] : contents
    return {
      kind: 'text',
      automaton: quoted(
        all.reduce((one, other) => both(one, other, budget)),
        budget,
      ),
    }
  })

  function readPattern({ schema: { pattern }, pointer: place }: SchemaPart): Automaton[] {
    if (pattern === undefined) return []
    if (typeof pattern !== 'string') throw parts.refuse(`${place}/pattern`, 'pattern must be a text', 'write a regular expression')
    return [enforce(place, 'pattern', () => patternAutomaton(pattern, { spelling: 'json', isWhole: false, budget }))]
  }

  /** What `not` excludes. */
  function readExcluded({ schema, pointer: place }: SchemaPart): Automaton[] {
    const { [excludedStrings]: texts, [excludedPatterns]: patterns = [] } = schema as {
      [excludedStrings]?: readonly string[]
      [excludedPatterns]?: readonly string[]
    }
    return [
      ...(texts ? [otherTexts(texts, budget)] : []),
      ...patterns.map((pattern) =>
        enforce(place, 'pattern', () => otherThan(patternAutomaton(pattern, { spelling: 'json', isWhole: false, budget }), budget)),
      ),
    ]
  }

  function readFormat({ schema: { format }, pointer: place }: SchemaPart): Automaton[] {
    if (format === undefined) return []
    if (typeof format === 'string' && Object.hasOwn(formats, format)) {
      return [patternAutomaton(formats[format]!, { spelling: 'json', isWhole: false, budget })]
    }
    throw parts.refuse(
      `${place}/format`,
      `format ${JSON.stringify(format)} cannot be enforced (those that can: ${Object.keys(formats).join(', ')})`,
      'leave format out, and check it in what comes back',
    )
  }

  function enforce<Result>(place: string, keyword: string, work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof UnsupportedPattern) && !(error instanceof TooLarge)) throw error
      throw parts.refuse(
        `${place}/${keyword}`,
        `${keyword} cannot be enforced: ${error.message}`,
        `write a simpler ${keyword}, or leave it out`,
      )
    }
  }
}
