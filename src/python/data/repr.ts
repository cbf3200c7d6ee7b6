import { maxDepth, tooDeep } from './max-depth.ts'
import { numberRepr } from './number-repr.ts'
import { stringRepr } from './string-repr.ts'
import { unsupportedType } from './unsupported-type.ts'
import { dictEntries, isDict, isList, PyFloat, type PyValue } from './value.ts'

/**
 * The text of Python 3.11's `repr()`; `undefined` counts as None.
 * @example pyRepr([1, 'a', null, { ok: true }]) // => "[1, 'a', None, {'ok': True}]"
 */
export function pyRepr(value: PyValue | undefined): string {
  return write(value, [])
}

/** `ancestors` are the lists and dicts being written, outermost first. */
function write(value: PyValue | undefined, ancestors: object[]): string {
  if (typeof value === 'string') return stringRepr(value)
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat) return numberRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null || value === undefined) return 'None'
  const list = isList(value)
  if (!list && !isDict(value)) throw unsupportedType(value)
  if (ancestors.includes(value)) return list ? '[...]' : '{...}'
  if (ancestors.length >= maxDepth) throw new Error(`cannot show a value that is ${tooDeep}`)
  ancestors.push(value)
  const text = list
    ? // Array.from, unlike map, also visits the holes of a sparse array.
      `[${Array.from(value, (item) => write(item, ancestors)).join(', ')}]`
    : `{${dictEntries(value)
        .map(([key, item]) => `${stringRepr(key)}: ${write(item, ancestors)}`)
        .join(', ')}}`
  ancestors.pop()
  return text
}
