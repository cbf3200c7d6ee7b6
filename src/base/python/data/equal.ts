import { dictEntries, dictGet, dictHas, isDict, isList, PyFloat, type PyValue } from './value.ts'

/** Python's `==`: True is 1 and 1.0 is 1, but "1" is not. */
export function pyEqual(a: PyValue, b: PyValue): boolean {
  const [left, right] = [numberOf(a), numberOf(b)]
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number of the same value
  if (left !== undefined && right !== undefined) return left == right
  if (isList(a) && isList(b)) return a.length === b.length && a.every((one, index) => pyEqual(one, b[index]!))
  if (isDict(a) && isDict(b)) {
    const entries = dictEntries(a)
    return entries.length === dictEntries(b).length && entries.every(([key, value]) => dictHas(b, key) && pyEqual(value, dictGet(b, key)!))
  }
  return a === b
}

function numberOf(value: PyValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return Number(value)
  return value instanceof PyFloat ? value.value : undefined
}
