import type { WorkBudget } from '../work-budget.ts'
import { type Automaton, AutomatonBuilder } from './automaton.ts'
import { oneCharacter } from './character-set.ts'

export type DecimalRange = {
  /** Undefined: no limit. Both are part of the range. */
  low: number | undefined
  high: number | undefined
  /** The number of decimals; 0 for integers. */
  fraction: number
  /** Only multiples of it: an integer, in units of the last decimal. */
  multipleOf?: number | undefined
}

/** Longer integers are printed with an exponent, and are not exact. */
const mostDigits = 21

/**
 * A position in a number: whether its digits so far equal those of a limit, and their remainder modulo the step. `low` and `high` are the
 * remaining digits of the limits, as long as they matter.
 */
type Walk = { low: Rest | undefined; high: Rest | undefined; remainder: number }

/** The remaining digits of a limit: as many before the point as the number has, and the decimals. */
type Rest = { integer: string; fraction: string }

/** The numbers of a range, in digits, without an exponent. */
export function decimalRange({ low, high, fraction, multipleOf = 1 }: DecimalRange, budget: WorkBudget): Automaton {
  const builder = new AutomatonBuilder(budget)
  const [start, end] = [builder.state(), builder.state()]
  // Equivalent positions share a state.
  const known = new Map<string, number>()
  const most = '9'.repeat(mostDigits)
  const lowest = low === undefined ? `-${most}` : plainDecimal(low)
  const highest = high === undefined ? most : plainDecimal(high)
  const isNegative = (text: string) => text.startsWith('-')
  if (!isNegative(highest)) magnitudes(start, isNegative(lowest) ? '0' : lowest, highest)
  if (isNegative(lowest)) {
    const minus = builder.state()
    builder.edge(start, oneCharacter('-'), minus)
    magnitudes(minus, isNegative(highest) ? highest.slice(1) : '0', lowest.slice(1))
  }
  return builder.finish(start, end)

  /** Unsigned numbers between two others, one length at a time. */
  function magnitudes(from: number, least: string, greatest: string): void {
    const [lowRest, highRest] = [split(least), split(greatest)]
    for (let length = lowRest.integer.length; length <= Math.min(highRest.integer.length, mostDigits); length++) {
      const walk: Walk = {
        low: length === lowRest.integer.length ? lowRest : undefined,
        high: length === highRest.integer.length ? highRest : undefined,
        remainder: 0,
      }
      // Only 0 itself begins with 0.
      readDigit(from, walk, 'integer', length > 1 ? 1 : 0, (next) => integerPlace(length - 1, next))
    }
  }

  /** Before the remaining digits of the integer part. */
  function integerPlace(left: number, walk: Walk): number {
    return place(`integer ${left}`, walk, (state) => {
      if (left > 0) readDigit(state, walk, 'integer', 0, (next) => integerPlace(left - 1, next))
      else {
        if (isMultiple(walk, fraction) && !isBelowLow(walk)) builder.jump(state, end)
        if (fraction === 0) return
        const point = builder.state()
        builder.edge(state, oneCharacter('.'), point)
        readDigit(point, walk, 'fraction', 0, (next) => fractionPlace(fraction - 1, next))
      }
    })
  }

  /** After at least one decimal. */
  function fractionPlace(left: number, walk: Walk): number {
    return place(`fraction ${left}`, walk, (state) => {
      if (isMultiple(walk, left) && !isBelowLow(walk)) builder.jump(state, end)
      if (left > 0) readDigit(state, walk, 'fraction', 0, (next) => fractionPlace(left - 1, next))
    })
  }

  /** Whether the number is a multiple if it ends here: zeros take the place of the decimals that are left. */
  function isMultiple({ remainder }: Walk, left: number): boolean {
    let rest = remainder
    for (let count = 0; count < left && rest !== 0; count++) rest = (rest * 10) % multipleOf
    return rest === 0
  }

  function place(kind: string, { low: lowRest, high: highRest, remainder }: Walk, fill: (state: number) => void): number {
    const key = [kind, remainder, ...[lowRest, highRest].map((rest) => (rest ? `${rest.integer}.${rest.fraction}` : ''))].join()
    const found = known.get(key)
    if (found !== undefined) return found
    const state = builder.state()
    known.set(key, state)
    fill(state)
    return state
  }

  function readDigit(from: number, walk: Walk, part: keyof Rest, smallest: number, placeAfter: (walk: Walk) => number): void {
    const [lowDigit, highDigit] = [digitOf(walk.low, part), digitOf(walk.high, part)]
    for (let digit = Math.max(smallest, lowDigit ?? 0); digit <= (highDigit ?? 9); digit++) {
      const after: Walk = {
        low: digit === lowDigit ? shortened(walk.low!, part) : undefined,
        high: digit === highDigit ? shortened(walk.high!, part) : undefined,
        remainder: (walk.remainder * 10 + digit) % multipleOf,
      }
      builder.edge(from, oneCharacter(String(digit)), placeAfter(after))
    }
  }
}

function split(text: string): Rest {
  const [integer = '0', fraction = ''] = text.split('.')
  return { integer, fraction }
}

/** The next digit of a limit; zeros follow its last one. */
function digitOf(rest: Rest | undefined, part: keyof Rest): number | undefined {
  return rest && Number(rest[part][0] ?? '0')
}

function shortened(rest: Rest, part: keyof Rest): Rest {
  return { ...rest, [part]: rest[part].slice(1) }
}

/** Whether a number that ended here would be below the limit. */
function isBelowLow({ low }: Walk): boolean {
  return low !== undefined && !/^0*$/.test(low.fraction)
}

/**
 * A number in digits, without an exponent.
 *
 * @example
 * plainDecimal(1.5e-7) // => '0.00000015'
 */
export function plainDecimal(number: number): string {
  const text = String(Object.is(number, -0) ? 0 : number)
  const found = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!found) return text
  const [, sign, first, more = '', exponent] = found
  const shift = Number(exponent)
  const all = `${first}${more}`
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${all}`
  return `${sign}${all.slice(0, shift + 1).padEnd(shift + 1, '0')}${all.length > shift + 1 ? `.${all.slice(shift + 1)}` : ''}`
}

/** The next representable number above (1) or below (-1) a given one. */
export function neighbour(number: number, direction: 1 | -1): number {
  if (number === 0) return direction * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  view.setBigInt64(0, view.getBigInt64(0) + (number > 0 === direction > 0 ? 1n : -1n))
  return view.getFloat64(0)
}
