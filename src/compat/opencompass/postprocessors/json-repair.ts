import { JsonSyntaxError, type PyValue, parseJson } from '../../../base/python/index.ts'

/** JSON whose backslashes begin no escape, as LaTeX in a text has them, with those doubled. */
export function escapeLoneBackslashes(json: string): string {
  return json.replace(/(?<!\\)\\(?![\\/"bfnrtu])/g, '\\\\')
}

/** The value of JSON that a model wrote; undefined where it is none. */
export function jsonOf(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
