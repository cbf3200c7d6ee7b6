import { longText, touch, touchText } from '../meter.ts'
import { typeError, valueError } from '../python-error.ts'
import { charactersOf, hasPairs, lengthOf } from './code-points.ts'
import { joinTexts, plainText, type Str, sliceText } from './text.ts'
import { typeName } from './type-name.ts'
import { Undefined } from './undefined.ts'
import { isInt, isListValue, Markup, Range, strOf, Tuple, type Value } from './value.ts'

/** Python's `value[start:stop:step]`. */
export function sliceValue(value: Value, start: Value, stop: Value, step: Value): Value {
  if (value instanceof Undefined) throw value.error
  if (isListValue(value)) return sliceItems(value, start, stop, step)
  const text = strOf(value)
  if (text !== undefined) {
    const sliced = sliceStr(text, start, stop, step)
    return value instanceof Markup ? new Markup(sliced) : sliced
  }
  if (value instanceof Tuple) return new Tuple(sliceItems(value.items, start, stop, step))
  if (value instanceof Range) {
    const [from, to, by] = sliceBounds(value.length, start, stop, step)
    return new Range(value.at(from), value.at(to), value.step * by)
  }
  if (typeof value === 'object' && value !== null && typeName(value) === 'dict') throw typeError("unhashable type: 'slice'")
  throw typeError(`'${typeName(value)}' object is not subscriptable`)
}

/** The first and the end index and the step of a slice of something with this length. */
export function sliceBounds(length: number, start: Value, stop: Value, step: Value): [from: number, to: number, by: number] {
  const by = bound(step) ?? 1
  if (by === 0) throw valueError('slice step cannot be zero')
  const clamp = (given: number | undefined, fallback: number) => {
    if (given === undefined) return fallback
    const index = given < 0 ? given + length : given
    return by > 0 ? Math.min(Math.max(index, 0), length) : Math.min(Math.max(index, -1), length - 1)
  }
  return [clamp(bound(start), by > 0 ? 0 : length - 1), clamp(bound(stop), by > 0 ? length : -1), by]
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined
  if (value instanceof Undefined || !isInt(value)) throw typeError('slice indices must be integers or None or have an __index__ method')
  return Number(value)
}

function sliceItems(items: readonly Value[], start: Value, stop: Value, step: Value): Value[] {
  const [from, to, by] = sliceBounds(items.length, start, stop, step)
  return pick(items, from, to, by)
}

function pick<Item>(items: readonly Item[], from: number, to: number, by: number): Item[] {
  const count = Math.max(0, Math.ceil((to - from) / by))
  if (count > 64) touch(count >> 5)
  if (by === 1) return items.slice(from, Math.max(from, to))
  const picked: Item[] = []
  for (let index = from; by > 0 ? index < to : index > to; index += by) picked.push(items[index]!)
  return picked
}

function sliceStr(text: Str, start: Value, stop: Value, step: Value): Str {
  const value = plainText(text)
  if (value.length > longText) touchText(value.length)
  const simple = !hasPairs(value)
  const [from, to, by] = sliceBounds(simple ? value.length : lengthOf(value), start, stop, step)
  if (by === 1 && simple) return sliceText(text, from, Math.max(from, to))
  return joinTexts(pick(charactersOf(text), from, to, by))
}
