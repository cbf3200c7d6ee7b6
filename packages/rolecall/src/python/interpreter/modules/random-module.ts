import { isInt, isListValue, notUnderstood, PythonError, pyFloat, typeError, type Value, valueError } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../library/random.ts'
import { sha512 } from '../../library/sha512.ts'
import { itemsOf } from '../containers.ts'
import type { Session } from '../session.ts'
import { type Builtin, type ModuleValue, NativeObject } from '../values.ts'
import { defineModule, native, numberOf } from './define-module.ts'

/** The current generator; `seed` replaces it. */
export type RandomSource = { random: PythonRandom }

/** `random.Random`. */
class RandomValue extends NativeObject {
  readonly typeName = 'Random'
  readonly #functions: ReadonlyMap<string, Builtin>

  constructor(source: RandomSource) {
    super()
    this.#functions = functionsOf(source)
  }

  attribute(_: Session, name: string): Value | undefined {
    return this.#functions.get(name)
  }
}

/** What `random.getstate()` gives. */
class StateValue extends NativeObject {
  readonly typeName = 'tuple'

  constructor(readonly random: PythonRandom) {
    super()
  }

  attribute(): undefined {
    return undefined
  }
}

function functionsOf(source: RandomSource): ReadonlyMap<string, Builtin> {
  const made = [
    native('seed(a=None)', (session, [seed]) => {
      source.random = seeded(session, seed)
      return null
    }),
    native('getstate()', () => new StateValue(new PythonRandom(source.random))),
    native('setstate(state)', (session, [state]) => {
      if (!(state instanceof StateValue)) throw notUnderstood(session.at, 'this state of random', 'take one from getstate()')
      source.random = new PythonRandom(state.random)
      return null
    }),
    native('random()', () => pyFloat(source.random.random())),
    native('getrandbits(k)', (session, [count]) => {
      session.step(numberOf(count))
      return source.random.manyBits(numberOf(count))
    }),
    native('uniform(a, b)', (_, [from, to]) => pyFloat(numberOf(from) + (numberOf(to) - numberOf(from)) * source.random.random())),
    native('randint(a, b)', (_, [from, to]) => numberOf(from) + source.random.below(numberOf(to) - numberOf(from) + 1)),
    native('randrange(start, stop=None)', (_, [from, to = null]) =>
      to === null ? source.random.below(numberOf(from)) : numberOf(from) + source.random.below(numberOf(to) - numberOf(from)),
    ),
    native('choice(seq)', (session, [items]) => {
      const list = isListValue(items) ? items : itemsOf(session, items!)
      if (list.length === 0) throw new PythonError('IndexError', 'Cannot choose from an empty sequence')
      return list[source.random.below(list.length)]!
    }),
    native('choices(population, weights=None, *, cum_weights=None, k=1)', (session, [items, weights = null], kwargs) => {
      if (weights !== null || (kwargs?.get('cum_weights') ?? null) !== null)
        throw notUnderstood(session.at, 'random.choices with weights', 'give processed rows')
      const count = numberOf(kwargs?.get('k') ?? 1)
      session.step(count)
      return session.made(source.random.choices(itemsOf(session, items!), count))
    }),
    native('sample(population, k)', (session, [items, count]) => {
      const list = isListValue(items) ? items : itemsOf(session, items!)
      const wanted = numberOf(count)
      if (wanted > list.length || wanted < 0) throw valueError('Sample larger than population or is negative')
      return source.random.sample(list, wanted)
    }),
    native('shuffle(x)', (session, [items]) => {
      if (!isListValue(items)) throw typeError('only a list can be shuffled')
      session.step(items.length)
      source.random.shuffle(items as Value[])
      return null
    }),
  ]
  return new Map(made.map((one) => [one.name, one]))
}

function seeded(session: Session, seed: Value | undefined): PythonRandom {
  if (isInt(seed)) return new PythonRandom(BigInt(Number(seed) < 0 ? -Number(seed) : seed))
  if (typeof seed === 'string') return new PythonRandom(seedOfText(seed))
  throw notUnderstood(session.at, 'a seed of random that is neither an int nor a text', 'write a number')
}

/** The text's bytes and their hash as one number, as in Python. */
function seedOfText(text: string): bigint {
  const bytes = new TextEncoder().encode(text)
  const digits = [...bytes, ...sha512(bytes)].map((byte) => byte.toString(16).padStart(2, '0'))
  return BigInt(`0x${digits.join('')}`)
}

/** Called when the generator of the module is drawn from, and when a `random.Random` is. */
export type OnDraw = { shared: () => void; own: () => void }

/** `random`, whose own functions draw from the source. */
export function makeRandom(onDraw: OnDraw, source: RandomSource): ModuleValue {
  return defineModule('random', {
    ...Object.fromEntries(functionsOf(watched(source, onDraw.shared))),
    Random: native('Random(x=None)', (session, [seed]) => new RandomValue(watched({ random: seeded(session, seed) }, onDraw.own))),
  })
}

function watched(source: RandomSource, onDraw: () => void): RandomSource {
  return {
    get random() {
      onDraw()
      return source.random
    },
    set random(replaced) {
      source.random = replaced
    },
  }
}
