import { dictGet, isDict, type PyValue } from '../../base/python/index.ts'
import { ApiError } from './api-error.ts'

/** A field of something in a request, to the digit; undefined where there is none. */
export function fieldOf(value: PyValue | undefined, key: string): PyValue | undefined {
  return isDict(value) ? (dictGet(value, key) ?? undefined) : undefined
}

/** A field that must be a text. `at`: where the thing stands in the request. */
export function textAt(value: PyValue | undefined, key: string, at: string): string {
  const text = fieldOf(value, key)
  if (typeof text === 'string') return text
  throw new ApiError(400, { message: `${at}.${key}: this must be a text`, param: `${at}.${key}`, code: 'invalid_value' })
}
