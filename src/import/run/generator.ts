import { Generator, type Value } from '../../python/values/value.ts'

/** What Python gives out one item after the other; here the items are already there. */
export function generator(items: readonly Value[]): Generator {
  return new Generator(items[Symbol.iterator]())
}
