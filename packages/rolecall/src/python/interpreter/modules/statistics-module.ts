import {
  calculate,
  compareValues,
  isInt,
  isNumber,
  numeric,
  PythonError,
  pyFloat,
  typeError,
  typeName,
  type Value,
} from '@rolecall/core/internal/python'
import { itemsOf } from '../containers.ts'
import type { Session } from '../session.ts'
import { defineModule, native } from './define-module.ts'

/** An exact number: Python's `statistics` adds without rounding. */
type Fraction = { above: bigint; below: bigint }

function fractionOf(value: Value): Fraction {
  if (isInt(value)) return { above: BigInt(numeric(value)), below: 1n }
  if (!isNumber(value)) throw typeError(`can't convert type '${typeName(value)}' to numerator/denominator`)
  let number = Number(numeric(value))
  if (!Number.isFinite(number)) throw typeError('an infinite number is not supported here')
  let below = 1n
  while (!Number.isInteger(number)) {
    number *= 2
    below *= 2n
  }
  return { above: BigInt(number), below }
}

/** The nearest float. */
function rounded({ above, below }: Fraction): number {
  const sign = above < 0n ? -1 : 1
  const top = above < 0n ? -above : above
  const shift = Math.max(0, 80 - top.toString(2).length + below.toString(2).length)
  const scaled = top << BigInt(shift)
  const quotient = scaled / below
  // The lowest bit stands for what is behind it.
  const sticky = scaled % below === 0n ? quotient : quotient | 1n
  return (sign * Number(sticky)) / 2 ** shift
}

function total(values: readonly Value[]): Fraction {
  return values
    .map(fractionOf)
    .reduce((sum, each) => ({ above: sum.above * each.below + each.above * sum.below, below: sum.below * each.below }), {
      above: 0n,
      below: 1n,
    })
}

function dataOf(session: Session, given: Value | undefined, name: string): readonly Value[] {
  const values = itemsOf(session, given ?? null)
  session.step(values.length * 20)
  if (values.length === 0) throw new PythonError('StatisticsError', `${name} requires at least one data point`)
  return values
}

export const statistics = defineModule('statistics', {
  mean: native('mean(data)', (session, [given]) => {
    const values = dataOf(session, given, 'mean')
    const { above, below } = total(values)
    const mean = { above, below: below * BigInt(values.length) }
    return values.every(isInt) && mean.above % mean.below === 0n ? Number(mean.above / mean.below) : pyFloat(rounded(mean))
  }),
  median: native('median(data)', (session, [given]) => {
    const values = [...dataOf(session, given, 'median')].sort(compareValues)
    const middle = values.length >> 1
    return values.length % 2 === 1 ? values[middle]! : calculate('/', calculate('+', values[middle - 1]!, values[middle]!), 2)
  }),
})
