import { pythonError } from '../syntax/import-error.ts'
import { listOf as listOfValue, sizeOf } from '../values/iterate.ts'
import { Generator, Range, type Value } from '../values/value.ts'
import type { Session } from './session.ts'
import { FileValue, NameRef, NativeObject, Unknown } from './values.ts'

/** The items of anything that Python iterates. */
export function itemsOf(session: Session, value: Value): readonly Value[] {
  if (value instanceof FileValue) return value.text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  if (value instanceof NativeObject && value.items) return value.items(session)
  refuseUnknown(session, value)
  // Before it is made: a range of a billion numbers is written with a few characters.
  if (value instanceof Range) session.step(value.length)
  const items = listOfValue(value)
  session.step(items.length)
  return items
}

export function lengthOf(session: Session, value: Value): number | undefined {
  if (value instanceof NativeObject) return value.items?.(session).length
  return sizeOf(value)
}

/** Python would have to run to go on from here. */
export function refuseUnknown(session: Session, value: Value): void {
  if (value instanceof Unknown) throw value.error
  if (value instanceof NameRef)
    throw value.declared
      ? pythonError(session.at, `what "${value.name}" holds is known only when Python runs`, 'write the list or text out')
      : pythonError(session.at, `"${value.name}" has no value`, 'assign it above, or import it')
}

/** What Python gives out one item after the other; here the items are already there. */
export function generator(items: readonly Value[]): Generator {
  return new Generator(items[Symbol.iterator]())
}
