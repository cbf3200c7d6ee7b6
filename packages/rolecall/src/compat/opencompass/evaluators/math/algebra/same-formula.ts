import { type Formula, isRounded, numberFor, symbolsOf } from './expression.ts'

/** Sample points for symbols: unrelated positive numbers. */
const points = [0.7390851, 1.3247179, 2.0945514, 0.5671432, 1.7632228, 2.685452]

function values(symbols: readonly string[], point: number): Map<string, number> {
  return new Map(symbols.map((name, index) => [name, points[(point + index) % points.length]! * (1 + 0.1 * index)]))
}

function near(a: number, b: number): boolean {
  return a === b || (Number.isFinite(a - b) && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)))
}

/**
 * Whether two formulas are equal: they have the same values at all sample points. If a number of places is given, numbers with a
 * decimal point are compared to that many places.
 */
export function sameFormulas(a: Formula, b: Formula, places?: number): boolean {
  const symbols = [...new Set([...symbolsOf(a), ...symbolsOf(b)])]
  if (symbols.length === 0) {
    const [left, right] = [numberFor(a, new Map()), numberFor(b, new Map())]
    if (near(left, right)) return true
    return places !== undefined && (isRounded(a) || isRounded(b)) && left.toFixed(places) === right.toFixed(places)
  }
  let tried = 0
  for (let point = 0; point < points.length; point++) {
    const at = values(symbols, point)
    const [left, right] = [numberFor(a, at), numberFor(b, at)]
    // Outside the domain of a root or logarithm there is nothing to compare.
    if (Number.isNaN(left) && Number.isNaN(right)) continue
    if (!near(left, right)) return false
    tried++
  }
  return tried > 0 && isSameBelowZero(a, b, symbols)
}

/** At negative values only what both formulas are defined for is compared: |x| is not x, but x is the square of its root. */
function isSameBelowZero(a: Formula, b: Formula, symbols: readonly string[]): boolean {
  const at = new Map([...values(symbols, 0)].map(([name, value]) => [name, -value]))
  const [left, right] = [numberFor(a, at), numberFor(b, at)]
  return Number.isNaN(left) || Number.isNaN(right) || near(left, right)
}

/** The ratio of two formulas, if it is constant. */
export function constantRatio(a: Formula, b: Formula): number | undefined {
  const symbols = [...new Set([...symbolsOf(a), ...symbolsOf(b)])]
  const ratios = points
    .map((_, point) => numberFor(a, values(symbols, point)) / numberFor(b, values(symbols, point)))
    .filter((one) => !Number.isNaN(one))
  return ratios.length > 0 && ratios.every((ratio) => near(ratio, ratios[0]!)) ? ratios[0] : undefined
}
