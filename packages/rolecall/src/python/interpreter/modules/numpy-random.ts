import { isInt, type Value, valueError } from '@rolecall/core/internal/python'
import { NumpyRandom } from '../../library/random.ts'
import type { ModuleValue } from '../values.ts'
import { defineModule, native, numberOf } from './define-module.ts'
import { numpy } from './numpy-module.ts'

/** `numpy`, whose `numpy.random` has its own state and, by default, the seed of lm-evaluation-harness; `onDraw` is called when it is drawn from. */
export function makeNumpy(onDraw: () => void, seed = 1234): ModuleValue[] {
  let random = new NumpyRandom(seed)
  const numpyRandom = defineModule('numpy.random', {
    seed: native('seed(seed)', (_, [given]) => {
      if (!isInt(given) || numberOf(given) < 0) throw valueError('Seed must be between 0 and 2**32 - 1')
      random = new NumpyRandom(numberOf(given))
      return null
    }),
    randint: native('randint(low, high=None)', (_, [first, second = null]): Value => {
      const [low, high] = second === null ? [0, numberOf(first)] : [numberOf(first), numberOf(second)]
      if (low >= high) throw valueError('low >= high')
      onDraw()
      return low + random.upTo(high - low - 1)
    }),
  })
  return [defineModule('numpy', { ...Object.fromEntries(numpy.attributes), random: numpyRandom }), numpyRandom]
}
