import type { Note } from '../../base/errors/note.ts'
import type { TemplateText } from './fill.ts'
import { type Fields, hasField } from './row.ts'

/** Notes the fields of a text that the row does not have; the documents leave them in the prompt as they are written. */
export function noteUnknownFields({ segments, path }: TemplateText, fields: Fields, notes: Note[]): void {
  for (const segment of segments) {
    if (segment.kind !== 'field' || hasField(fields, segment.name)) continue
    const { name } = segment
    notes.push({ code: 'unknown-field', where: path, text: `the row has no field "${name}", so {${name}} stays as it is` })
  }
}
