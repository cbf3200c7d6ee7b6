import { UnsupportedPattern } from '../../../base/pattern/index.ts'
import type { Shape } from '../shape.ts'
import { type Automaton, TooLarge } from '../text/automaton.ts'
import { both, lengthAutomaton, quoted } from '../text/combine.ts'
import { integerAutomaton, numberAutomaton } from '../text/number-automaton.ts'
import { patternAutomaton } from '../text/pattern-automaton.ts'
import { formats } from '../text/string-formats.ts'
import { atLeast, atMost, numbersOf } from './limits-of.ts'
import type { SchemaCompiler } from './schema-compiler.ts'
import type { SchemaPart } from './schema-part.ts'

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
  const [step = 1] = steps
  const { pointer } = found.find(({ schema }) => 'multipleOf' in schema) ?? { pointer: '#' }
  if (steps.length > 1 || (steps.length === 1 && !isInteger) || !Number.isInteger(step) || step < 1 || step > largestStep) {
    throw parts.refuse(
      `${pointer}/multipleOf`,
      `multipleOf cannot be enforced here: only one, for integers, from 1 to ${largestStep}`,
      'leave multipleOf out, and check it in what comes back',
    )
  }
  return { kind: 'text', automaton: numbersWithin({ ...limits, multipleOf: step }, isInteger) }
}

/** Schemas repeat the same numbers, so their automata are cached. */
const known = new Map<string, Automaton>()
const mostKnown = 64

function numbersWithin(limits: Parameters<typeof integerAutomaton>[0], isInteger: boolean): Automaton {
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
  const made = isInteger ? integerAutomaton(limits) : numberAutomaton(limits)
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
  const contents = found.flatMap((part) => [...readPattern(part), ...readFormat(part)])
  if (contents.length === 0) return { kind: 'string', least, most }
  const { pointer } = found.find(({ schema }) => 'pattern' in schema || 'format' in schema)!
  return enforce(pointer, 'pattern', () => {
    const hasLength = least > 0 || most < Number.POSITIVE_INFINITY
    const all = hasLength ? [...contents, lengthAutomaton(least, most)] : contents
    return { kind: 'text', automaton: quoted(all.reduce(both)) }
  })

  function readPattern({ schema: { pattern }, pointer: place }: SchemaPart): Automaton[] {
    if (pattern === undefined) return []
    if (typeof pattern !== 'string') throw parts.refuse(`${place}/pattern`, 'pattern must be a text', 'write a regular expression')
    return [enforce(place, 'pattern', () => patternAutomaton(pattern, { spelling: 'json', isWhole: false }))]
  }

  function readFormat({ schema: { format }, pointer: place }: SchemaPart): Automaton[] {
    if (format === undefined) return []
    if (typeof format === 'string' && Object.hasOwn(formats, format)) {
      return [patternAutomaton(formats[format]!, { spelling: 'json', isWhole: false })]
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
