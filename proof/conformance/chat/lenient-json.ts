import { JsonSyntaxError, type PyValue, parseJson } from '../../../packages/core/src/base/python/index.ts'
import { parseLenientJson } from '../../../packages/rolecall/src/replies.ts'
import { plainVector } from './parse-vector.ts'

/** The documents' JSON, which is not always valid; `strict_json` says whether a strict parser accepts it. */
export function lenientJson(vector: PyValue): { ours: unknown; expected: unknown } {
  const { input, expected, strict_json } = plainVector(vector) as { input: string; expected: unknown; strict_json: boolean }
  return {
    ours: { value: plainVector(parseLenientJson(input)), isStrict: isStrict(input) },
    expected: { value: expected, isStrict: strict_json },
  }
}

function isStrict(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false
    throw error
  }
}
