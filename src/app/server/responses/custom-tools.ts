import { isDict, type PyDict, type PyValue, parseJson, stringifyJson } from '../../../base/python/index.ts'
import { fieldOf } from '../exact-values.ts'

/**
 * A custom tool takes any text, and no format has words for that: the model is shown a function with one text, and what it calls is
 * told as a call of the custom tool.
 */
export function customSchema(tool: PyDict): PyDict {
  const form = fieldOf(tool, 'format')
  const definition = fieldOf(form, 'definition')
  const rule = typeof definition === 'string' ? `The text, in this grammar:\n${definition}` : 'The text.'
  return { type: 'object', properties: { input: { type: 'string', description: rule } }, required: ['input'] }
}

/** The arguments of such a function. */
export function customArguments(input: string): string {
  return stringifyJson({ input }, { ensureAscii: false })
}

/** The text in them; what the model wrote otherwise is handed on as it wrote it. */
export function customInput(written: string): string {
  let value: PyValue
  try {
    value = parseJson(written)
  } catch {
    return written
  }
  const input = isDict(value) ? fieldOf(value, 'input') : undefined
  return typeof input === 'string' ? input : written
}
