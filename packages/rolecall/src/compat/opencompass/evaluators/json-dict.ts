import { isDict, JsonSyntaxError, type PyDict, type PyValue, parseJson } from '@rolecall/core/internal/python'

/** The dict that a text is as JSON; undefined if it is none. */
export function jsonDict(text: string): PyDict | undefined {
  const value = jsonOrUndefined(text)
  return value !== undefined && isDict(value) ? value : undefined
}

export function jsonOrUndefined(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
