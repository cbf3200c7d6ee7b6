import { kindOf } from '../../../base/errors/check.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictEntries, isDict, JsonSyntaxError, parseJson } from '../../../base/python/index.ts'
import type { MlcConfig } from './mlc-schema.ts'

/**
 * Reads the text of a `mlc-chat-config.json`: JSON in which comments, `...` for what is left out (document 003 shows both) and
 * commas before a closing bracket may stand.
 *
 * @example
 * const config = parseMlcConfig('{ // mlc-chat-config.json\n  "conv_template": "vicuna_v1.1", "temperature": 0.7\n}')
 * readMlcConfig(config).settings.temperature // => 0.7
 */
export function parseMlcConfig(text: string, where = 'mlc-chat-config.json'): MlcConfig {
  try {
    // The contents are checked when they are read.
    return parseJson(withoutComments(text.replace(/^\ufeff/, ''))) as MlcConfig
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new PromptError('bad-config', { where, problem: `this is not JSON (${error.message})`, fix: 'correct it' })
  }
}

/**
 * Comments become spaces, so that lines and columns of errors stay right. Strings are matched first and left alone. What is not closed
 * matches, too, and is left alone: else each of its characters would be tried as a beginning.
 */
function withoutComments(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, ' ')
  const isComment = (found: string) =>
    found.startsWith('//') || found === '...' || (found.startsWith('/*') && found.endsWith('*/') && found.length > 3)
  const plain = text.replace(/"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\.\.\./g, (found) =>
    isComment(found) ? blank(found) : found,
  )
  return plain.replace(/"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|,(?=\s*[}\]])/g, (found) => (found === ',' ? ' ' : found))
}

/** A config as JSON holds it: objects are plain objects. Floats that look like integers (`2.0`) stay what they are. */
export function plainConfig(value: unknown, where: string): Record<string, unknown> {
  if (!isDict(value))
    throw new PromptError('wrong-type', { where, problem: `expected an object, found ${kindOf(value)}`, fix: 'write { … }' })
  return plainValue(value, where, 0) as Record<string, unknown>
}

/** No setting has more levels. */
const mostLevels = 100

function plainValue(value: unknown, where: string, level: number): unknown {
  if (level > mostLevels)
    throw new PromptError('bad-config', { where, problem: `a value has more than ${mostLevels} levels`, fix: 'remove it' })
  if (Array.isArray(value)) return value.map((entry) => plainValue(entry, where, level + 1))
  if (!isDict(value)) return value
  return Object.fromEntries(dictEntries(value).map(([key, entry]) => [key, plainValue(entry, where, level + 1)]))
}
