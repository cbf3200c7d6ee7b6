import type { Quirks } from '../../base/fidelity/quirks.ts'
import { isDict, isList, JsonSyntaxError, type PyDict, type PyValue, parseJson, stringifyJson } from '../../base/python/index.ts'
import { plain, type TextPiece } from '../../base/text/index.ts'
import type { ToolCall, Turn } from './conversation.ts'
import type { TemplateText } from './fill.ts'
import { readCalls } from './read-message.ts'
import { type Fields, fieldValue } from './row.ts'
import { fieldsOfValue, fillValue, onlyField, readValue, type ValueTemplate } from './value-template.ts'

/** What a turn of a template may carry in addition to its text, as configured. */
export type CarriedConfig = {
  role?: string | undefined
  name?: string | undefined
  tool_calls?: unknown
  tool_call_id?: string | undefined
}

/** The same, compiled. */
export type Carried = {
  name?: string
  /** The calls as written; texts in them are filled from the row. */
  calls?: ValueTemplate
  callId?: string
  path: string
}

/** Reads what a turn carries; undefined if nothing. */
export function readCarried(
  { name, tool_calls: calls, tool_call_id: callId }: CarriedConfig,
  path: string,
  fills: boolean,
): Carried | undefined {
  if (name === undefined && calls === undefined && callId === undefined) return undefined
  return {
    path,
    ...(name === undefined ? {} : { name }),
    ...(callId === undefined ? {} : { callId }),
    ...(calls === undefined ? {} : { calls: readValue(calls as PyValue, `${path}.tool_calls`, fills) }),
  }
}

/** What a turn carries for a row. */
export function fillCarried(
  carried: Carried | undefined,
  fields: Fields,
  quirks: Quirks,
): Pick<Turn, 'name' | 'calls' | 'callId' | 'extra'> {
  if (carried === undefined) return {}
  const { name, callId, path } = carried
  const calls = carried.calls ? callsOf(fillValue(carried.calls, fields, quirks), path) : []
  const extra = {
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
    ...(callId === undefined ? {} : { tool_call_id: callId }),
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(calls.length === 0 ? {} : { calls }),
    ...(callId === undefined ? {} : { callId }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

/** Calls in a column may be JSON text, since other file types than JSON contain only text; a masked column has none. */
function callsOf(given: PyValue, path: string): ToolCall[] {
  const value = typeof given === 'string' ? (given.trim() === '' ? [] : jsonOf(given)) : given
  return readCalls(value, `${path}.tool_calls`)
}

function jsonOf(text: string): PyValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return text
    throw error
  }
}

/** The fields that a turn's calls show. */
export function carriedFields({ calls }: Carried): string[] {
  return calls === undefined ? [] : fieldsOfValue(calls)
}

/** A call as chat servers take it. */
function wireCall({ name, arguments: given, id, code }: ToolCall): PyDict {
  const identity: PyDict = id === undefined ? {} : { id }
  if (code !== undefined) return { ...identity, type: 'code_interpreter', code_interpreter: { input: code } }
  const text = typeof given === 'string' ? given : stringifyJson(given, { ensureAscii: false })
  return { ...identity, type: 'function', function: { name, arguments: text } }
}

/** The roles of tool results. */
const resultRoles: ReadonlySet<string> = new Set(['tool', 'function', 'environment'])

/** Whether the text of a turn is data: a tool result, or a list of files. */
export function saysData({ role, name }: { role?: string | undefined; name?: string | undefined }): boolean {
  return (role !== undefined && resultRoles.has(role)) || name === 'file'
}

/** The text of a turn with data: a column with a list or an object is written as JSON, not as Python prints it. */
export function fillData(text: TemplateText, fields: Fields): TextPiece[] | undefined {
  const column = onlyField(text)
  const value = column === undefined ? undefined : fieldValue(fields, column)
  if (column === undefined || value === undefined || (!isList(value) && !isDict(value))) return undefined
  const example = fields.example === undefined ? {} : { example: fields.example }
  return [plain(stringifyJson(value, { ensureAscii: false }), { by: 'field', path: column, ...example })]
}
