import { JsonSyntaxError, type PyValue, parseJson } from '@rolecall/core/internal/python'

/** JSON with its invalid backslashes doubled, as LaTeX in a text contains them. */
export function escapeLoneBackslashes(json: string): string {
  return json.replace(/(?<!\\)\\(?![\\/"bfnrtu])/g, '\\\\')
}

/** The value of JSON that a model wrote; undefined if it is not JSON. */
export function jsonOf(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
