import { WorkBudget } from '../work-budget.ts'
import type { Automaton } from './automaton.ts'
import { decimalRange, neighbour, plainDecimal } from './decimal-range.ts'
import { patternAutomaton } from './pattern-automaton.ts'

/** The limits of a number, as a schema writes them. */
export type NumberLimits = {
  minimum?: number | undefined
  maximum?: number | undefined
  exclusiveMinimum?: number | undefined
  exclusiveMaximum?: number | undefined
  multipleOf?: number | undefined
}

/** The maximum decimals of a number between 0.000001 and 1; smaller ones have an exponent. */
export const fractionDigits = 24

/** Numbers that a program can hold: with an exponent of up to 307, or with up to 21 digits. */
const integerPart = '(?:0|[1-9]\\d{0,20})'
const anyNumber = `-?(?:${integerPart}(?:\\.\\d{1,${fractionDigits}})?|\\d(?:\\.\\d{1,20})?[eE][+-]?0?(?:\\d{1,2}|[12]\\d\\d|30[0-7]))`

let unlimited: Automaton | undefined

/** An integer within limits, written in digits. */
export function integerAutomaton(limits: NumberLimits, budget: WorkBudget): Automaton {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  const lows = [minimum === undefined ? [] : Math.ceil(minimum), exclusiveMinimum === undefined ? [] : Math.floor(exclusiveMinimum) + 1]
  const highs = [maximum === undefined ? [] : Math.floor(maximum), exclusiveMaximum === undefined ? [] : Math.ceil(exclusiveMaximum) - 1]
  return decimalRange({ low: greatest(lows.flat()), high: least(highs.flat()), fraction: 0, multipleOf }, budget)
}

/** A number within limits; one without limits may have an exponent. */
export function numberAutomaton(limits: NumberLimits, budget: WorkBudget): Automaton {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  const lows = [minimum ?? [], exclusiveMinimum === undefined ? [] : neighbour(exclusiveMinimum, 1)].flat()
  const highs = [maximum ?? [], exclusiveMaximum === undefined ? [] : neighbour(exclusiveMaximum, -1)].flat()
  const range = { low: greatest(lows), high: least(highs) }
  if (multipleOf !== undefined) {
    const fraction = decimalsOf(multipleOf)
    return decimalRange({ ...range, fraction, multipleOf: Math.round(multipleOf * 10 ** fraction) }, budget)
  }
  if (lows.length === 0 && highs.length === 0) {
    unlimited ??= patternAutomaton(anyNumber, { spelling: 'plain', isWhole: true, budget: new WorkBudget() })
    return unlimited
  }
  return decimalRange({ ...range, fraction: fractionDigits }, budget)
}

function greatest(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

function least(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}

/** The number of decimals of a number. */
export function decimalsOf(number: number): number {
  return plainDecimal(number).split('.')[1]?.length ?? 0
}
