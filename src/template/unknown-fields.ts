import { hasField } from '../dataset/row.ts'
import type { TemplateText } from './fill.ts'
import type { FillContext } from './question.ts'

/** Notes the fields of a text that the row does not have; the documents leave them in the prompt as they are written. */
export function noteUnknownFields(text: TemplateText, { fields, notes }: FillContext): void {
  for (const segment of text.segments) {
    if (segment.kind !== 'field' || hasField(fields, segment.name)) continue
    const { name } = segment
    notes.push({ code: 'unknown-field', where: text.path, text: `the row has no field "${name}", so {${name}} stays as it is` })
  }
}
