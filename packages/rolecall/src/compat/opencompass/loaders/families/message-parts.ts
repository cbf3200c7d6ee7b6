import { dictEntries, dictFromEntries, isDict, type PyValue } from '@rolecall/core/internal/python'
import { mediaType } from '@rolecall/core/internal/text'
import { BadData } from '../bad-data.ts'
import type { Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { base64 } from '../read/parquet.ts'
import { get, type RowDict } from '../row-values.ts'
import type { Table } from '../table.ts'

/** A part of a message: a text, the path or URL of a medium, or an image that the data contains. */
export type MessageSegment = readonly [kind: 'text' | 'image' | 'video' | 'audio', value: string | { base64: string }]

/** The parts of a row by the config's templates: the row decides on their order and number. */
export function partsOf(settings: Settings, segments: readonly MessageSegment[]): PyValue[] {
  const templates = settings.get('with_parts') ?? null
  return segments.map(([kind, value]) => {
    const template = get(templates, kind)
    if (!isDict(template)) throw new BadData(`prompt_mm has no part "${kind}"`)
    const field = kind === 'text' ? '{question}' : `{${kind}}`
    if (typeof value === 'string') return filled(template, field, value)
    // AISBench writes images to files first, and names these.
    return filled(filled(template, `file://${field}`, `data:${imageType(value.base64)};base64,${field}`), field, value.base64)
  })
}

function filled(template: PyValue, field: string, value: string): PyValue {
  if (typeof template === 'string') return template.split(field).join(value)
  if (!isDict(template)) return template
  return dictFromEntries(dictEntries(template).map(([key, item]) => [key, filled(item, field, value)]))
}

/** How files of images begin, in base64. */
const imageStarts = { iVBORw: 'image/png', UklGR: 'image/webp', R0lGOD: 'image/gif' }

function imageType(data: string): string {
  return Object.entries(imageStarts).find(([start]) => data.startsWith(start))?.[1] ?? 'image/jpeg'
}

/** Rows whose parts keep their own keys: as a table of Arrow's types, every part would have all keys, null where it has none. */
export function tableOfParts(rows: readonly RowDict[]): Table {
  return { columns: [...(rows[0]?.keys() ?? [])], rows: rows.map((one) => dictFromEntries([...one])) }
}

/** A file of media that a row names. */
export async function asBase64(data: Data, path: string): Promise<string> {
  const bytes = await data.named(path)
  if (mediaType(bytes) === undefined) throw new BadData('the file is neither an image nor audio, a video or a PDF', path)
  return base64(bytes)
}
