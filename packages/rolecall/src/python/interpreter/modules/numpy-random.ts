import { isInt, notUnderstood, type Value, valueError } from '@rolecall/core/internal/python'
import { NumpyRandom } from '../../library/random.ts'
import { type ModuleValue, NativeObject } from '../values.ts'
import { defineModule, native, numberOf } from './define-module.ts'
import { numpy } from './numpy-module.ts'

/** What `numpy.random.get_state()` gives. */
class StateValue extends NativeObject {
  readonly typeName = 'tuple'

  constructor(readonly random: NumpyRandom) {
    super()
  }

  attribute(): undefined {
    return undefined
  }
}

/** `numpy`, whose `numpy.random` has its own state and, by default, the seed of lm-evaluation-harness; `onDraw` is called when it is drawn from. */
export function makeNumpy(onDraw: () => void, seed = 1234): ModuleValue[] {
  let random = new NumpyRandom(seed)
  const numpyRandom = defineModule('numpy.random', {
    seed: native('seed(seed)', (_, [given]) => {
      if (!isInt(given) || numberOf(given) < 0) throw valueError('Seed must be between 0 and 2**32 - 1')
      random = new NumpyRandom(numberOf(given))
      return null
    }),
    get_state: native('get_state(legacy=True)', () => new StateValue(new NumpyRandom(random))),
    set_state: native('set_state(state)', (session, [state]) => {
      if (!(state instanceof StateValue)) throw notUnderstood(session.at, 'this state of numpy.random', 'take one from get_state()')
      random = new NumpyRandom(state.random)
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
