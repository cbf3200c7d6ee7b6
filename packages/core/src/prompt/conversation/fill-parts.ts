import type { Quirks } from '../../base/fidelity/quirks.ts'
import { dictEntries, dictFromEntries, isDict, isList, type PyValue, pyStr } from '../../base/python/index.ts'
import type { Piece, Source } from '../../base/text/index.ts'
import type { Turn } from './conversation.ts'
import { fillText, type TemplateText } from './fill.ts'
import { fillInterleaved } from './fill-interleaved.ts'
import { pieceOfPart } from './read-content.ts'
import type { Fields } from './row.ts'
import { fieldsOfValue, fillValue, onlyField, readValue, textsOfValue, type ValueTemplate } from './value-template.ts'

/** The parts of a message's content in a template. */
export type PartsTemplate = { items: readonly ValueTemplate[]; path: string }

/** Compiles the parts of a content; `{field}` is replaced in every string of a part. */
export function readParts(parts: readonly unknown[], path: string, fills: boolean): PartsTemplate {
  return { path, items: parts.map((part, index) => readValue(part as PyValue, `${path}[${index}]`, fills)) }
}

/**
 * The parts for a row, and their pieces with origins. A part that is only a field may be a list of parts, which takes its place; an empty
 * list leaves it out.
 */
export function fillParts({ items, path }: PartsTemplate, fields: Fields, quirks: Quirks): Required<Pick<Turn, 'content' | 'parts'>> {
  const parts: PyValue[] = []
  const content: Piece[] = []
  for (const [index, item] of items.entries()) {
    const interleaved = interleavedText(item)
    if (interleaved !== undefined) {
      const filled = fillInterleaved(fillText(interleaved, { fields, quirks }), fields)
      content.push(...filled.content.map((piece) => ({ ...piece, part: parts.length + piece.part! })))
      parts.push(...filled.parts)
      continue
    }
    const column = item.kind === 'text' ? onlyField(item.text) : undefined
    const filled = item.kind === 'dict' ? withoutDoubleScheme(fillValue(item, fields, quirks)) : fillValue(item, fields, quirks)
    const several = column !== undefined && isList(filled) ? filled : oneEach(filled)
    for (const [number, value] of (several ?? [asPart(filled, column)]).entries()) {
      const part = parts.push(value) - 1
      const text = textTemplate(item)
      if (text !== undefined) {
        content.push(...fillText(text, { fields, quirks }).map((piece) => ({ ...piece, part })))
        continue
      }
      const place = `${path}[${index}]`
      const piece = pieceOfPart(value, part, sourceOf(item, fields, place, several === undefined ? undefined : number))
      const isOwn = 'media' in piece && isLiteral(item, piece.media.url)
      content.push(isOwn ? { ...piece, source: { ...piece.source, by: 'template', path: place } } : piece)
    }
  }
  return { content, parts }
}

/** Whether the number of parts depends on the row: a field may be a list of parts or of media, or empty. */
export function hasRowParts({ items }: PartsTemplate): boolean {
  return items.some((item) => {
    if (item.kind === 'text') return onlyField(item.text) !== undefined
    if (interleavedText(item) !== undefined) return true
    return item.kind === 'dict' && item.entries.some(([key, value]) => key !== 'text' && fieldsOfValue(value).length > 0)
  })
}

/** Media whose place is a list of places are one part for each; undefined if they are one. */
function oneEach(part: PyValue): PyValue[] | undefined {
  if (!isDict(part)) return undefined
  for (const [key, value] of dictEntries(part)) {
    if (key === 'text' || key === 'type') continue
    const items = isList(value) ? value : oneEach(value)
    if (items !== undefined)
      return items.map((item) => dictFromEntries(dictEntries(part).map(([name, one]) => [name, name === key ? item : one])))
  }
  return undefined
}

/** A column used as a part whose value is neither text nor an object is shown as text. */
function asPart(value: PyValue, column: string | undefined): PyValue {
  return column !== undefined && (value === null || typeof value === 'number' || typeof value === 'boolean') ? pyStr(value) : value
}

/** The text of a text part, or of a part that is a string. */
function textTemplate(item: ValueTemplate): TemplateText | undefined {
  if (item.kind === 'text') return onlyField(item.text) === undefined ? item.text : undefined
  if (item.kind !== 'dict') return undefined
  const found = item.entries.find(([key]) => key === 'text')?.[1]
  return found?.kind === 'text' ? found.text : undefined
}

/** The text of a part of type `interleaved`, in which `<image>` stands for an image of the row. */
function interleavedText(item: ValueTemplate): TemplateText | undefined {
  const type = item.kind === 'dict' ? item.entries.find(([key]) => key === 'type')?.[1] : undefined
  const [segment] = type?.kind === 'text' ? type.text.segments : []
  return segment?.kind === 'text' && segment.text === 'interleaved' ? textTemplate(item) : undefined
}

/** AISBench's templates write `file://{image}`; the field of a column of media is a URL already. */
function withoutDoubleScheme(value: PyValue): PyValue {
  if (typeof value === 'string') return value.replace(/^file:\/\/(?=(?:file|data|https?):)/, '')
  if (isList(value)) return value.map(withoutDoubleScheme)
  if (!isDict(value)) return value
  return dictFromEntries(dictEntries(value).map(([key, one]) => [key, key === 'text' ? one : withoutDoubleScheme(one)] as const))
}

/** Whether the template itself has this text; a file that it names is the config's, whatever fields other places of the part are. */
function isLiteral(item: ValueTemplate, text: string): boolean {
  return textsOfValue(item).some(({ segments: [first, ...others] }) => first?.kind === 'text' && others.length === 0 && first.text === text)
}

/** Media whose place is a field of the row come from the row. */
function sourceOf(item: ValueTemplate, { example }: Fields, path: string, number: number | undefined): Source {
  const [column] = fieldsOfValue(item)
  const own = example === undefined ? {} : { example }
  if (column === undefined) return { by: 'template', path, ...own }
  return { by: 'field', path: number === undefined ? column : `${column}[${number}]`, ...own }
}
