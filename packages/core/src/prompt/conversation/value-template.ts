import type { Quirks } from '../../base/fidelity/quirks.ts'
import { dictEntries, dictFromEntries, isDict, isList, type PyValue } from '../../base/python/index.ts'
import { textOf } from '../../base/text/index.ts'
import { fillText, readText, type TemplateText } from './fill.ts'
import { type Fields, fieldValue, hasField } from './row.ts'

/** A value of a template whose texts may name fields. */
export type ValueTemplate =
  | { kind: 'value'; value: PyValue }
  | { kind: 'text'; text: TemplateText }
  | { kind: 'list'; items: readonly ValueTemplate[] }
  | { kind: 'dict'; entries: readonly (readonly [string, ValueTemplate])[] }

/** Compiles a value; without `fills`, braces in its texts are only braces. */
export function readValue(value: PyValue, path: string, fills: boolean): ValueTemplate {
  if (typeof value === 'string' && fills) return { kind: 'text', text: readText(value, path, {}, { control: false }) }
  if (isList(value)) return { kind: 'list', items: value.map((item, index) => readValue(item, `${path}[${index}]`, fills)) }
  if (isDict(value))
    return { kind: 'dict', entries: dictEntries(value).map(([key, item]) => [key, readValue(item, `${path}.${key}`, fills)]) }
  return { kind: 'value', value }
}

/** The value for a row. A text that is only a field gets the field's value with its type: a number stays a number. */
export function fillValue(template: ValueTemplate, fields: Fields, quirks: Quirks): PyValue {
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

/** The texts of a value that may name fields. */
export function textsOfValue(template: ValueTemplate): TemplateText[] {
  if (template.kind === 'text') return [template.text]
  if (template.kind === 'list') return template.items.flatMap(textsOfValue)
  return template.kind === 'dict' ? template.entries.flatMap(([, item]) => textsOfValue(item)) : []
}

/** The fields that a value shows. */
export function fieldsOfValue(template: ValueTemplate): string[] {
  return textsOfValue(template).flatMap(({ segments }) => segments.flatMap((segment) => (segment.kind === 'field' ? [segment.name] : [])))
}

/** The field that a text consists of, if it is nothing else. */
export function onlyField({ segments }: TemplateText): string | undefined {
  const [segment] = segments
  return segments.length === 1 && segment!.kind === 'field' ? segment!.name : undefined
}
