import { showP } from './compare-models.ts'
import { fixed, signed } from './round.ts'
import type { AxisBest, Interaction } from './run-record.ts'
import { digitsOf } from './show-metric.ts'

/** `prompt careful: 83.7, 18.0 [14.1, 21.9] above short over 2 models, p < 0.001`. */
export function bestText({ axis, best, value, second, secondValue, unit, compared, over }: AxisBest): string {
  const digits = digitsOf(unit)
  const { interval, p, adjusted } = compared
  const probability = adjusted?.p ?? p
  const isClear = probability !== undefined && probability < 0.05
  const places = over > 1 ? `, mean of ${over} places on the other axes` : ''
  const test = probability === undefined ? '' : `, p ${probability < 0.001 ? showP(probability) : `= ${showP(probability)}`}`
  const difference = `${signed(compared.difference, digits)} [${signed(interval.low, digits)}, ${signed(interval.high, digits)}]`
  const than = `${fixed(value, digits)} against ${fixed(secondValue, digits)} of ${second}, ${difference}${test}${places}`
  return isClear ? `${axis} ${best}: ${than}` : `${axis} ${best} or ${second}: ${than}; may be chance`
}

/** `careful instead of short helps b (+35.3), not a (+0.7): …`. */
export function interactionText({ axis, data, from, to, unit, more, less, compared }: Interaction): string {
  const digits = digitsOf(unit)
  const { interval, adjusted, p = 1 } = compared
  const [low, high] = [interval.low, interval.high].map(Math.abs).sort((one, other) => one - other) as [number, number]
  const probability = adjusted?.p ?? p
  const test = probability < 0.001 ? `p ${showP(probability)}` : `p = ${showP(probability)}`
  const gap = `${fixed(Math.abs(compared.difference), digits)} [${fixed(low, digits)}, ${fixed(high, digits)}], ${test}`
  return `${axis} ${to} instead of ${from} on ${data}: ${signed(more.difference, digits)} for ${more.model}, ${signed(less.difference, digits)} for ${less.model}; the effects differ by ${gap}`
}
