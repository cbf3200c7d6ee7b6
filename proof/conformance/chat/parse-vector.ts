import { dictEntries, isDict, PyFloat, type PyValue } from '../../../packages/core/src/base/python/index.ts'

/** A vector without Python number types, because JSON values are compared. Large integers keep all digits. */
export function plainVector(value: PyValue): unknown {
  if (value instanceof PyFloat) return value.value
  if (Array.isArray(value)) return value.map((entry) => plainVector(entry as PyValue))
  if (!isDict(value)) return value
  return Object.fromEntries(dictEntries(value).map(([name, entry]) => [name, plainVector(entry)]))
}
