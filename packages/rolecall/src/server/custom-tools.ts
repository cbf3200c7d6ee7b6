import { isDict, type PyDict, type PyValue, parseJson, stringifyJson } from '@rolecall/core/internal/python'
import { exactField } from './exact-fields.ts'

/**
 * The schema that represents a custom tool, which takes free text: formats know only functions, so the model sees a function with one string,
 * and its calls are converted back.
 */
export function customSchema(tool: PyDict): PyDict {
  const format = exactField(tool, 'format')
  // Chats nest it once more than responses.
  const definition = exactField(exactField(format, 'grammar') ?? format, 'definition')
  const rule = typeof definition === 'string' ? `The text, in this grammar:\n${definition}` : 'The text.'
  return { type: 'object', properties: { input: { type: 'string', description: rule } }, required: ['input'] }
}

/** The arguments of that function. */
export function customArguments(input: string): string {
  return stringifyJson({ input }, { ensureAscii: false })
}

/** The text in its arguments; anything else is returned unchanged. */
export function customInput(written: string): string {
  let value: PyValue
  try {
    value = parseJson(written)
  } catch {
    return written
  }
  const input = isDict(value) ? exactField(value, 'input') : undefined
  return typeof input === 'string' ? input : written
}
