import type { Quirks } from '../../base/fidelity/quirks.ts'
import {
  dictEntries,
  dictFromEntries,
  isDict,
  isList,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
  stringifyJson,
} from '../../base/python/index.ts'
import { plain, type TextPiece, textOf } from '../../base/text/index.ts'
import type { ToolCall, Turn } from './conversation.ts'
import { fillText, readText, type TemplateText } from './fill.ts'
import { readCalls } from './read-message.ts'
import { type Fields, fieldValue, hasField } from './row.ts'

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

/** A value of a template whose texts may name fields. */
type ValueTemplate =
  | { kind: 'value'; value: PyValue }
  | { kind: 'text'; text: TemplateText }
  | { kind: 'list'; items: readonly ValueTemplate[] }
  | { kind: 'dict'; entries: readonly (readonly [string, ValueTemplate])[] }

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

function readValue(value: PyValue, path: string, fills: boolean): ValueTemplate {
  if (typeof value === 'string' && fills) return { kind: 'text', text: readText(value, path, {}, { control: false }) }
  if (isList(value)) return { kind: 'list', items: value.map((item, index) => readValue(item, `${path}[${index}]`, fills)) }
  if (isDict(value))
    return { kind: 'dict', entries: dictEntries(value).map(([key, item]) => [key, readValue(item, `${path}.${key}`, fills)]) }
  return { kind: 'value', value }
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

/** A text that is only a field gets the field's value with its type: a number stays a number. */
function fillValue(template: ValueTemplate, fields: Fields, quirks: Quirks): PyValue {
  switch (template.kind) {
    case 'value':
      return template.value
    case 'text': {
      const column = onlyField(template.text)
      if (column !== undefined && hasField(fields, column)) return fieldValue(fields, column)!
      return textOf(fillText(template.text, { fields, quirks }))
    }
    case 'list':
      return template.items.map((item) => fillValue(item, fields, quirks))
    case 'dict':
      return dictFromEntries(template.entries.map(([key, item]) => [key, fillValue(item, fields, quirks)] as const))
    default:
      return template satisfies never
  }
}

/** The fields that a turn's calls show. */
export function carriedFields({ calls }: Carried): string[] {
  return calls === undefined ? [] : fieldsOf(calls)
}

function fieldsOf(template: ValueTemplate): string[] {
  if (template.kind === 'text') return template.text.segments.flatMap((segment) => (segment.kind === 'field' ? [segment.name] : []))
  if (template.kind === 'list') return template.items.flatMap(fieldsOf)
  return template.kind === 'dict' ? template.entries.flatMap(([, item]) => fieldsOf(item)) : []
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

function onlyField({ segments }: TemplateText): string | undefined {
  const [segment] = segments
  return segments.length === 1 && segment!.kind === 'field' ? segment!.name : undefined
}
