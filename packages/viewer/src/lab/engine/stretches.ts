import type { Prompt } from '@rolecall/core/internal/format'
import type { Written } from '@rolecall/core/internal/jinja'
import type { Piece } from '@rolecall/core/internal/text'
import { isMarker, originOf } from '@rolecall/core/internal/text'
import { writtenOf } from '../../template/trace.ts'
import type { Stretch, Writer } from './contract.ts'

/** A stretch, and where it begins in the text of the prompt. */
export type Placed = Stretch & { at: number }

/** The text of a prompt, as its places are counted: without ids and media, which have no characters. */
export function plainText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
}

/** The pieces of a prompt as stretches with one writer each, with the code of the template that wrote them. */
export function stretchesOf(prompt: Prompt & { kind: 'completion' }): Placed[] {
  const written = writtenOf(plainText(prompt.pieces))
  const inAnswer = (index: number) => prompt.answer !== undefined && index >= prompt.answer.start && index < prompt.answer.end
  let at = 0
  const placed = prompt.pieces.map((piece, index): Placed => {
    const start = at
    if ('text' in piece) at += piece.text.length
    return { ...stretchOf(piece, inAnswer(index)), ...codeAt(piece, written, start), at: start }
  })
  return asJsonOfTools(placed, prompt.pieces)
}

export function stretchOf(piece: Piece, isAnswer: boolean): Stretch {
  const { path } = piece.source
  const message = /^messages\[(\d+)\]/.exec(path)?.[1]
  return {
    text: 'text' in piece ? piece.text : 'ids' in piece ? piece.ids.map((id) => `<#${id}>`).join('') : '',
    by: writerOf(piece, isAnswer),
    path,
    ...(message === undefined ? {} : { message: Number(message) }),
    ...('media' in piece ? { media: piece.media.kind } : {}),
    ...(isMarker(piece) ? { isMarker: true as const } : {}),
  }
}

function writerOf(piece: Piece, isAnswer: boolean): Writer {
  if (piece.source.by === 'tool' || /\.tool_calls\b/.test(piece.source.path)) return 'tool'
  const origin = originOf(piece, isAnswer)
  return origin === 'reply' ? 'answer' : origin
}

/** Literal text is in the source; inserted values come from a statement. */
function codeAt(piece: Piece, written: readonly Written[], start: number): Pick<Stretch, 'code'> {
  const isOwn = piece.source.by === 'format' && piece.source.span !== undefined
  const code = isOwn ? piece.source.span : written.find((one) => one.start <= start && start < one.end)?.span
  return code === undefined ? {} : { code }
}

/**
 * What `tojson` writes between the names and values of a tool (`": "`, `{`) is no literal text of the template: it is shown as part of the
 * tool, or a schema would be a mosaic. Counts of origins follow what is shown.
 */
function asJsonOfTools(placed: readonly Placed[], pieces: readonly Piece[]): Placed[] {
  return placed.map((stretch, index) => {
    const piece = pieces[index]
    const isJson = stretch.by === 'format' && piece?.source.span === undefined && /^[\s{}[\]",:\\]+$/.test(stretch.text)
    if (!isJson || placed[index - 1]?.by !== 'tool' || placed[index + 1]?.by !== 'tool') return stretch
    const { isMarker: _, ...rest } = stretch
    return { ...rest, by: 'tool', path: placed[index - 1]!.path }
  })
}
