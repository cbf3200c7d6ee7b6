import type { PartsSetting } from '@rolecall/core/internal/format'
import { type PartsEngine, partsEngines } from '@rolecall/core/internal/format'
import { InvalidArgumentError } from 'commander'
import { defaultSeeds } from '../compat/lm-eval/default-seeds.ts'

export function positiveInteger(text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('expected a positive integer')
}

/** A number of rows, or a share below 1; `5.0` is 5, as in lm-evaluation-harness. */
export function rowsOrShare(text: string): number {
  const value = Number(text)
  if (/^\d*\.?\d+(?:\.0*)?$/.test(text) && value > 0 && Number.isFinite(value) && (value < 1 || Number.isInteger(value))) return value
  throw new InvalidArgumentError('expected a number of rows, or a share of them such as 0.1')
}

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new InvalidArgumentError('expected a non-negative integer')
}

/** A seed, or four as in lm-evaluation-harness: of `random`, numpy, torch and the few-shot examples; the fourth may be left out. */
export function seedOrSeeds(text: string): number | readonly number[] {
  const seeds = text.split(',').map((one) => one.trim())
  if (!seeds.every((one) => /^\d+$/.test(one) && Number.isSafeInteger(Number(one))) || seeds.length === 2 || seeds.length > 4)
    throw new InvalidArgumentError('expected a non-negative integer, or four: --seed 0,1234,1234,1234')
  const numbers = seeds.map(Number)
  return numbers.length === 1 ? numbers[0]! : [...numbers, ...defaultSeeds.slice(numbers.length)]
}

export function trueOrFalse(text: string): boolean {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  throw new InvalidArgumentError('expected true or false')
}

/** A number of at least `lowest`, or above `lowest` and at most `highest`. */
export function numberFrom(lowest: number, highest?: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const isIn = highest === undefined ? value >= lowest : value > lowest && value <= highest
    if (text.trim() !== '' && isIn && Number.isFinite(value)) return value
    throw new InvalidArgumentError(
      highest === undefined ? `expected a number of at least ${lowest}` : `expected a number above ${lowest} and at most ${highest}`,
    )
  }
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('expected a number above 0')
}

/** A factor above 1: `2x` or `1.5`. */
export function factor(text: string): number {
  const [, number] = /^(\d+(?:\.\d+)?)x?$/.exec(text) ?? []
  if (Number(number) > 1) return Number(number)
  throw new InvalidArgumentError('expected a factor above 1, e.g. 2x')
}

/** Seconds: `90`, `90s`, `10m` or `2h`. */
export function duration(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(text) ?? []
  if (number === undefined) throw new InvalidArgumentError('expected a duration such as 90s, 10m or 2h')
  return Number(number) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h']
}

/** The same, above 0. */
export function positiveDuration(text: string): number {
  const seconds = duration(text)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('expected a duration above 0')
}

/** A value, or `none`. */
export function orNone<Value>(read: (text: string) => Value): (text: string) => Value | 'none' {
  return (text) => {
    if (text === 'none') return text
    try {
      return read(text)
    } catch (error) {
      throw error instanceof InvalidArgumentError ? new InvalidArgumentError(`${error.message}, or none`) : error
    }
  }
}

/** A duration, or `forever`. */
export function durationOrForever(text: string): number {
  return text === 'forever' ? Number.POSITIVE_INFINITY : duration(text)
}

/** Readers of flags that may be given several times, each of which adds a value. */
const collecting = new WeakSet<object>()

/** Marks a reader that is given the values before it. */
export function collects<Reader extends (text: string, before: never) => unknown>(read: Reader): Reader {
  collecting.add(read)
  return read
}

export function isCollecting(read: object | undefined): boolean {
  return read !== undefined && collecting.has(read)
}

/** Collects stop sequences; unescapes \\n and \\t, which are hard to type in shells. */
export const withStop = collects((text: string, before: string[] = []): string[] => {
  const written = text.replace(/\\(n|t|\\)/g, (_, one: string) => (one === 'n' ? '\n' : one === 't' ? '\t' : '\\'))
  return written === '' ? before : [...before, written]
})

/** One or two serving stacks: `vllm,llama.cpp`; `vllm:ARCHITECTURE` names the model. */
export function partsFlag(text: string): PartsSetting[] {
  const settings = text.split(',').map((one): PartsSetting => {
    const [engine = '', architecture] = one.trim().split(':')
    if (!isPartsEngine(engine)) throw new InvalidArgumentError(`"${engine}" is none of ${partsEngines.join(', ')}`)
    return architecture === undefined ? engine : { engine, architecture }
  })
  if (settings.length > 2) throw new InvalidArgumentError('expected one or two serving stacks')
  return settings
}

function isPartsEngine(name: string): name is PartsEngine {
  return (partsEngines as readonly string[]).includes(name)
}

/** An evaluator or postprocessor: its name, or JSON with `type` and its options. */
export function namedEntry(text: string): { type: string } & Record<string, unknown> {
  if (!text.trimStart().startsWith('{')) return { type: text }
  try {
    const value = JSON.parse(text) as { type?: unknown }
    if (typeof value.type === 'string') return { ...value, type: value.type }
  } catch {
    // Reported below, like JSON without a type.
  }
  throw new InvalidArgumentError('expected a name, or JSON with "type"')
}
