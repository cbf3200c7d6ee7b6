import { add } from '../../../python/values/arithmetic.ts'
import type { Value } from '../../../python/values/value.ts'
import { builtins } from '../builtins.ts'
import { newDict, setItem } from '../dicts.ts'
import { itemsOf } from '../items.ts'
import { pairsOf } from '../methods.ts'
import type { Session } from '../session.ts'
import { defineModule, native } from './define-module.ts'

export const makeCollections = () =>
  defineModule('collections', {
    OrderedDict: builtins.get('dict')!,
    defaultdict: native('defaultdict', (session, [factory = null, given], kwargs) => {
      const made = newDict(session, [...(given === undefined ? [] : pairsOf(session, given)), ...(kwargs ?? [])])
      if (factory !== null) session.factories.set(made, factory)
      return made as unknown as Value
    }),
    Counter: native('Counter', (session, [items]) => count(session, items)),
  })

function count(session: Session, items: Value | undefined): Value {
  const made = newDict(session)
  for (const item of items === undefined ? [] : itemsOf(session, items)) setItem(session, made, item, add(made.get(item as string) ?? 0, 1))
  return made as unknown as Value
}
