import { isDict, JsonSyntaxError, type PyDict, parseJson } from '../../../base/python/index.ts'

/** The dict that a text is as JSON; undefined if it is none. */
export function jsonDict(text: string): PyDict | undefined {
  try {
    const value = parseJson(text)
    return isDict(value) ? value : undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
