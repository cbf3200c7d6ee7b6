import { type Expression, isRounded, numberFor, symbolsOf } from './expression.ts'

/** Where symbols are tried: positive numbers that have nothing to do with each other. */
const points = [0.7390851, 1.3247179, 2.0945514, 0.5671432, 1.7632228, 2.685452]

function values(symbols: readonly string[], point: number): Map<string, number> {
  return new Map(symbols.map((name, index) => [name, points[(point + index) % points.length]! * (1 + 0.1 * index)]))
}

function near(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
}

/**
 * Whether two formulas are the same: they come to the same numbers, wherever their symbols are. A number with a decimal point is the
 * same to so many places, if a number of places is given.
 */
export function sameFormulas(a: Expression, b: Expression, places?: number): boolean {
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
    // Outside of what a root or a logarithm takes there is nothing to compare.
    if (Number.isNaN(left) && Number.isNaN(right)) continue
    if (!near(left, right)) return false
    tried++
  }
  return tried > 0
}

/** What a formula divided by another is, where that is the same number everywhere. */
export function constantRatio(a: Expression, b: Expression): number | undefined {
  const symbols = [...new Set([...symbolsOf(a), ...symbolsOf(b)])]
  const ratios = points
    .map((_, point) => numberFor(a, values(symbols, point)) / numberFor(b, values(symbols, point)))
    .filter((one) => !Number.isNaN(one))
  return ratios.length > 0 && ratios.every((ratio) => near(ratio, ratios[0]!)) ? ratios[0] : undefined
}
