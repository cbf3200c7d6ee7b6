import { ownEntry } from '@rolecall/core/internal/schema'
/** A formula over real numbers. */
export type Formula =
  | { kind: 'number'; value: number /** Written with a decimal point. */; isDecimal?: true }
  | { kind: 'symbol'; name: string }
  | { kind: 'sum' | 'product'; parts: readonly Formula[] }
  | { kind: 'power'; base: Formula; exponent: Formula }
  | { kind: 'call'; name: string; of: Formula }

export const number = (value: number): Formula => ({ kind: 'number', value })
export const negative = (of: Formula): Formula => ({ kind: 'product', parts: [number(-1), of] })
export const inverse = (of: Formula): Formula => ({ kind: 'power', base: of, exponent: number(-1) })

/** Function names in formulas, and their implementations. */
export const functions: Readonly<Record<string, (value: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  cot: (value) => 1 / Math.tan(value),
  sec: (value) => 1 / Math.cos(value),
  csc: (value) => 1 / Math.sin(value),
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  ln: Math.log,
  log: Math.log10,
  exp: Math.exp,
  abs: Math.abs,
  floor: Math.floor,
  ceil: Math.ceil,
  factorial,
}

/** For other numbers than whole ones, Stirling's series for the gamma function, far enough from 0 for fourteen digits. */
function factorial(value: number): number {
  if (!Number.isFinite(value) || value > 170) return Number.NaN
  if (!Number.isInteger(value)) return value < 20 ? factorial(value + 1) / (value + 1) : stirling(value)
  if (value < 0) return Number.NaN
  let product = 1
  for (let factor = 2; factor <= value; factor++) product *= factor
  return product
}

function stirling(value: number): number {
  const series = 1 / (12 * value) - 1 / (360 * value ** 3) + 1 / (1260 * value ** 5) - 1 / (1680 * value ** 7)
  return Math.sqrt(2 * Math.PI * value) * (value / Math.E) ** value * Math.exp(series)
}

const constants: Readonly<Record<string, number>> = { '\\pi': Math.PI, e: Math.E, '\\infty': Number.POSITIVE_INFINITY }

/** The value of a formula with these values for its symbols; NaN if it has none. */
export function numberFor(formula: Formula, symbols: ReadonlyMap<string, number>): number {
  switch (formula.kind) {
    case 'number':
      return formula.value
    case 'symbol':
      return ownEntry(constants, formula.name) ?? symbols.get(formula.name) ?? Number.NaN
    case 'sum':
      return formula.parts.reduce((sum, part) => sum + numberFor(part, symbols), 0)
    case 'product':
      return formula.parts.reduce((product, part) => product * numberFor(part, symbols), 1)
    case 'power':
      return powerOf(numberFor(formula.base, symbols), formula.exponent, symbols)
    case 'call':
      return (ownEntry(functions, formula.name) ?? (() => Number.NaN))(numberFor(formula.of, symbols))
  }
}

/** Odd roots of negative numbers are negative. */
function powerOf(base: number, exponent: Formula, symbols: ReadonlyMap<string, number>): number {
  const value = numberFor(exponent, symbols)
  const root = base < 0 && !Number.isInteger(value) ? Math.round(1 / value) : 0
  return root % 2 !== 0 && Math.abs(1 / value - root) < 1e-9 ? -((-base) ** value) : base ** value
}

/** The free symbols of a formula. */
export function symbolsOf(formula: Formula, found: Set<string> = new Set()): Set<string> {
  if (formula.kind === 'symbol' && !Object.hasOwn(constants, formula.name)) found.add(formula.name)
  for (const part of partsOf(formula)) symbolsOf(part, found)
  return found
}

export function partsOf(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'sum':
    case 'product':
      return formula.parts
    case 'power':
      return [formula.base, formula.exponent]
    case 'call':
      return [formula.of]
    default:
      return []
  }
}

/** Whether a formula contains a number with a decimal point, which may be rounded. */
export function isRounded(formula: Formula): boolean {
  return (formula.kind === 'number' && formula.isDecimal === true) || partsOf(formula).some(isRounded)
}
