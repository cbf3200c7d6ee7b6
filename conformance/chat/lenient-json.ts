import { JsonSyntaxError, type PyValue, parseJson } from '../../src/base/python/index.ts'
import { parseLenientJson } from '../../src/index.ts'
import type { Verdict } from '../judge.ts'
import { sameValue } from '../outcome.ts'
import { plainVector } from './parse-vector.ts'

/** The documents' JSON, which is not always valid; `strict_json` says whether a strict parser accepts it. */
export function judgeLenientJson(vector: PyValue): Verdict {
  const { input, expected, strict_json } = plainVector(vector) as { input: string; expected: unknown; strict_json: boolean }
  const value = plainVector(parseLenientJson(input))
  if (!sameValue(value, expected)) return { kind: 'failed', why: `${JSON.stringify(value)}, expected ${JSON.stringify(expected)}` }
  if (isStrict(input) !== strict_json) return { kind: 'failed', why: `strict JSON: ${!strict_json}, expected ${strict_json}` }
  return { kind: 'passed' }
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
