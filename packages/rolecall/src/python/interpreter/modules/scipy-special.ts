import { pyFloat, valueError } from '@rolecall/core/internal/python'
import { defineModule, native, numberOf } from './define-module.ts'

/** The sum of n to the power of -x, for x above 1: the first terms, and Euler and Maclaurin's formula for the rest. */
function zeta(x: number): number {
  const terms = 20
  let rest = terms ** (1 - x) / (x - 1) + terms ** -x / 2
  let factor = (x * terms ** (-x - 1)) / 2
  for (const [index, bernoulli] of [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66].entries()) {
    rest += factor * bernoulli
    const next = 2 * index + 3
    factor *= ((x + next - 2) * (x + next - 1)) / (next * (next + 1) * terms ** 2)
  }
  for (let term = terms - 1; term >= 1; term--) rest += term ** -x
  return rest
}

/** The part of `scipy.special` that tasks use. */
export const scipySpecial = defineModule('scipy.special', {
  zeta: native('zeta(x)', (_, [given]) => {
    const x = numberOf(given)
    if (x <= 1) throw valueError('zeta of a number that is not above 1')
    return pyFloat(zeta(x))
  }),
})
