import type { Quirks } from '../config/fidelity.ts'
import { type Fields, fieldNames, fieldText, hasField } from '../dataset/row.ts'
import { PromptError } from '../prompt-error.ts'
import { control, plain, replaceText, type TextPiece } from '../text/index.ts'
import { readSegments, type Segment, type TemplateTokens } from './segments.ts'

/** Text of a template, read once and filled for every row. */
export type TemplateText = {
  segments: readonly Segment[]
  tokens: TemplateTokens
  path: string
  /** Whether special tokens written in this text count as such: see `TextPiece`. */
  control: boolean
  /** Whose text it is: the dataset's template, or a default of the format. */
  by: 'template' | 'format'
}

export function readText(text: string, path: string, tokens: TemplateTokens, is: { control: boolean; by?: 'format' }): TemplateText {
  return { segments: readSegments(text, tokens), tokens, path, control: is.control, by: is.by ?? 'template' }
}

export type FillOptions = {
  fields: Fields
  quirks: Quirks
  /** What stands at the ice token: the examples' text, or nothing. */
  examples?: readonly TextPiece[]
  keepSeparator?: boolean
}

/** Replaces the fields of a template's text by the row's values; every piece remembers where it comes from. */
export function fillText(text: TemplateText, options: FillOptions): TextPiece[] {
  if (options.quirks.has('data-reexpanded')) return fillOneByOne(text, options)
  const { fields, examples = [], keepSeparator } = options
  const pieces: TextPiece[] = []
  let afterSeparator = false
  for (const segment of text.segments) {
    switch (segment.kind) {
      case 'text':
        pieces.push(written(text, segment, fields, afterSeparator))
        break
      case 'ice':
        pieces.push(...examples)
        break
      case 'separator':
        afterSeparator = true
        if (keepSeparator) pieces.push(written(text, segment, fields, false))
        break
      case 'field':
        pieces.push(fieldPiece(text, segment, fields, afterSeparator))
        break
      default:
        segment satisfies never
    }
  }
  return pieces
}

/** The names of the template's fields that the row does not have; they stay in the prompt as they are written. */
export function unknownFields(text: TemplateText, fields: Fields): string[] {
  return text.segments.flatMap((segment) => (segment.kind === 'field' && !hasField(fields, segment.name) ? [segment.name] : []))
}

function fieldPiece(text: TemplateText, segment: Segment & { kind: 'field' }, fields: Fields, answer: boolean): TextPiece {
  const value = fieldText(fields, segment.name)
  if (value !== undefined) return marked(plain(value, fieldSource(segment.name, fields)), answer)
  if (segment.byToken) throw missingColumn(text, segment.name, fields)
  return written(text, segment, fields, answer)
}

/** The reference's way: one column after the other, in text that already holds the values of the columns before. */
function fillOneByOne(text: TemplateText, { fields, examples = [], keepSeparator }: FillOptions): TextPiece[] {
  let pieces = text.segments.flatMap((segment) => {
    if (segment.kind === 'ice') return [...examples]
    return segment.kind === 'separator' && !keepSeparator ? [] : [written(text, segment, fields, false)]
  })
  for (const [token, column] of text.tokens.columnTokens ?? []) {
    const value = fieldText(fields, column)
    if (value === undefined) throw missingColumn(text, column, fields)
    pieces = replaceText(pieces, token, [plain(value, fieldSource(column, fields))])
  }
  return refill(pieces, fields)
}

/** Replaces `{column}` in text that may hold values already, column by column in the row's order: what the reference does. */
export function refill(pieces: readonly TextPiece[], fields: Fields): TextPiece[] {
  return fieldNames(fields).reduce<TextPiece[]>(
    (filled, name) => replaceText(filled, `{${name}}`, [plain(fieldText(fields, name)!, fieldSource(name, fields))]),
    [...pieces],
  )
}

function written(text: TemplateText, segment: Segment, { example }: Fields, answer: boolean): TextPiece {
  const source = { by: text.by, path: text.path, span: segment.span, ...(example === undefined ? {} : { example }) } as const
  return marked(text.control ? control(segment.text, source) : plain(segment.text, source), answer)
}

function marked(piece: TextPiece, answer: boolean): TextPiece {
  return answer ? { ...piece, answer: true } : piece
}

function fieldSource(name: string, { example }: Fields) {
  return { by: 'field', path: name, ...(example === undefined ? {} : { example }) } as const
}

function missingColumn(text: TemplateText, column: string, fields: Fields): PromptError {
  return new PromptError('missing-column', {
    where: `${text.path} › column_token_map`,
    problem: `the row has no column "${column}" (it has: ${fieldNames(fields).join(', ')})`,
    fix: 'name a column of the rows, or remove it from column_token_map',
  })
}
