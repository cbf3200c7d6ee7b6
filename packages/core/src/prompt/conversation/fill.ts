import { nearestName } from '../../base/errors/nearest.ts'
import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { control, plain, replaceText, type TextPiece } from '../../base/text/index.ts'
import { type Fields, fieldNames, fieldText, hasField } from './row.ts'
import { readSegments, type Segment, type TemplateTokens } from './template-segments.ts'

/** A compiled text of a template, filled for every row. */
export type TemplateText = {
  segments: readonly Segment[]
  tokens: TemplateTokens
  path: string
  /** Whether special tokens written in this text count as such: see `TextPiece`. */
  control: boolean
  /** The owner of the text: the dataset's template, or a default of the format. */
  by: 'template' | 'format'
  /** The offset where a label's own text begins; it is at the border of a segment. */
  answerFrom?: number
}

export function readText(
  text: string,
  path: string,
  tokens: TemplateTokens,
  is: { control: boolean; by?: 'format' },
  answerFrom?: number,
): TemplateText {
  const segments = readSegments(text, tokens)
  const read = { tokens, path, control: is.control, by: is.by ?? 'template' } as const
  if (answerFrom === undefined) return { ...read, segments }
  const inside = segments.find(({ span }) => span[0] < answerFrom && answerFrom < span[1])
  if (inside?.kind === 'text')
    return {
      ...read,
      segments: segments.flatMap((segment) => (segment === inside ? cutSegment(inside, answerFrom) : [segment])),
      answerFrom,
    }
  return { ...read, segments, answerFrom: inside?.span[0] ?? answerFrom }
}

function cutSegment({ text, span }: Segment & { kind: 'text' }, at: number): Segment[] {
  const [start, end] = span
  return [
    { kind: 'text', text: text.slice(0, at - start), span: [start, at] },
    { kind: 'text', text: text.slice(at - start), span: [at, end] },
  ]
}

export type FillOptions = {
  fields: Fields
  quirks: Quirks
  /** Replaces the ice token: the examples' text, or nothing. */
  examples?: readonly TextPiece[]
  keepSeparator?: boolean
  /** Marks what the model must produce: everything after the separator, or after the point where labels differ. */
  marksAnswer?: boolean
}

/** Replaces the fields of a template's text with the row's values; every piece records its origin. */
export function fillText(text: TemplateText, options: FillOptions): TextPiece[] {
  const { fields, quirks, examples = [], keepSeparator } = options
  const oneByOne = quirks.has('data-reexpanded')
  const answerFrom = answerStart(text, options)
  const pieces = text.segments.flatMap((segment): readonly TextPiece[] => {
    const isAnswer = segment.span[0] >= answerFrom
    switch (segment.kind) {
      case 'text':
        return [written(text, segment, fields, isAnswer)]
      case 'ice':
        return examples
      case 'separator':
        return keepSeparator ? [written(text, segment, fields, false)] : []
      case 'field':
        return [oneByOne ? written(text, segment, fields, isAnswer) : fieldPiece(text, segment, fields, isAnswer)]
      default:
        return segment satisfies never
    }
  })
  if (!oneByOne) return pieces
  const withExamples = text.tokens.iceToken === '' ? replaceText(pieces, '', examples) : pieces
  return refill(replaceColumnTokens(withExamples, text, fields), fields)
}

/** A separator is the best evidence of where the answer starts. */
function answerStart({ segments, answerFrom }: TemplateText, { marksAnswer }: FillOptions): number {
  if (!marksAnswer) return Number.POSITIVE_INFINITY
  return segments.find((segment) => segment.kind === 'separator')?.span[1] ?? answerFrom ?? Number.POSITIVE_INFINITY
}

function fieldPiece(text: TemplateText, segment: Segment & { kind: 'field' }, fields: Fields, answer: boolean): TextPiece {
  const value = fieldText(fields, segment.name)
  if (value !== undefined) return marked(plain(value, fieldSource(segment.name, fields)), answer)
  if (segment.byToken) throw missingColumn(text, segment.name, fields)
  return written(text, segment, fields, answer)
}

/** As the reference does it: one token after the other, in text that already contains the values of earlier ones. */
function replaceColumnTokens(pieces: readonly TextPiece[], text: TemplateText, fields: Fields): readonly TextPiece[] {
  let replaced = pieces
  for (const [token, column] of text.tokens.columnTokens ?? []) {
    const value = fieldText(fields, column)
    if (value === undefined) throw missingColumn(text, column, fields)
    replaced = replaceText(replaced, token, asField(column, value, fields))
  }
  return replaced
}

/** Replaces `{column}` in text that may already contain values, column by column in the row's order, as the reference does. */
export function refill(pieces: readonly TextPiece[], fields: Fields): TextPiece[] {
  let filled = [...pieces]
  for (const name of fieldNames(fields)) filled = replaceText(filled, `{${name}}`, asField(name, fieldText(fields, name)!, fields))
  return filled
}

function asField(name: string, value: string, fields: Fields) {
  const piece = plain(value, fieldSource(name, fields))
  return (found: readonly TextPiece[]) => [
    marked(
      piece,
      found.some(({ answer }) => answer),
    ),
  ]
}

function written(text: TemplateText, segment: Segment, { example }: Fields, answer: boolean): TextPiece {
  const source = { by: text.by, path: text.path, span: segment.span, example } as const
  return marked(text.control ? control(segment.text, source) : plain(segment.text, source), answer)
}

function marked(piece: TextPiece, answer: boolean): TextPiece {
  return answer ? { ...piece, answer: true } : piece
}

function fieldSource(name: string, { example }: Fields) {
  return { by: 'field', path: name, example } as const
}

function missingColumn(text: TemplateText, column: string, fields: Fields): PromptError {
  const near = nearestName(column, fieldNames(fields))
  return new PromptError('missing-column', {
    where: `${text.path} › column_token_map`,
    problem: `the row has no column "${column}" (it has: ${fieldNames(fields).join(', ')})`,
    fix: near === undefined ? 'name a column of the rows, or remove it from column_token_map' : `did you mean "${near}"?`,
  })
}

/** Notes the fields of a text that the row does not have; the documents leave them in the prompt verbatim. */
export function noteUnknownFields({ segments, path }: TemplateText, fields: Fields, notes: Note[]): void {
  for (const segment of segments) {
    if (segment.kind !== 'field' || hasField(fields, segment.name)) continue
    const { name } = segment
    notes.push({ code: 'unknown-field', where: path, text: `the row has no field "${name}", so {${name}} stays as it is` })
  }
}
