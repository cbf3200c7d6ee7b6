import type { Piece } from '@rolecall/core/internal/text'
import { isMarker, mediaLabel, type Origin, originOf } from '@rolecall/core/internal/text'
import { colors, type Paint, printable, type TerminalLine, WrappedLines } from '../terminal.ts'

export const originPaint: Record<Origin, Paint> = {
  format: (text) => colors.magenta(text),
  template: (text) => colors.cyan(text),
  field: (text) => colors.yellow(text),
  example: (text) => colors.blue(text),
  answer: (text) => colors.bold(colors.green(text)),
  reply: (text) => colors.green(text),
}

export type ShowOptions = {
  width: number
  showWhitespace: boolean
  /** Which pieces are the answer. */
  isAnswer?: (index: number) => boolean
}

/** Pieces as lines for the terminal, coloured by origin. Control text is between ⟦ and ⟧, to distinguish it from look-alikes without colours. */
export function showPieces(pieces: readonly Piece[], { width, showWhitespace, isAnswer = () => false }: ShowOptions): TerminalLine[] {
  const lines = new BracketedLines(width)
  for (const [index, piece] of pieces.entries()) {
    const paint = originPaint[originOf(piece, isAnswer(index))]
    lines.inControl = isMarker(piece)
    if ('ids' in piece) lines.add(` ${piece.ids.map((id) => `#${id}`).join(' ')} `, paint)
    else if ('media' in piece) lines.add(`[${printable(mediaLabel(piece.media))}]`, paint)
    else if (showWhitespace) addVisibly(lines, piece.text, paint, startsLine(pieces, index + 1))
    else addText(lines, piece.text, paint)
  }
  return lines.end()
}

/** Whether the text from this piece on is empty or starts with a newline. */
function startsLine(pieces: readonly Piece[], from: number): boolean {
  const next = pieces.slice(from).find((piece) => !('text' in piece) || piece.text !== '')
  return next === undefined || ('text' in next && next.text.startsWith('\n'))
}

/** Puts brackets around the control text of each line. */
class BracketedLines extends WrappedLines {
  inControl = false
  #isOpen = false

  override add(text: string, paint: Paint): void {
    if (text === '') return
    if (this.inControl !== this.#isOpen) this.#bracket(this.inControl)
    super.add(text, paint)
  }

  override newline(): void {
    if (this.#isOpen) this.#bracket(false)
    super.newline()
  }

  override end(): TerminalLine[] {
    if (this.#isOpen) this.#bracket(false)
    return super.end()
  }

  #bracket(open: boolean): void {
    this.#isOpen = open
    super.add(open ? '⟦' : '⟧', colors.dim)
  }
}

function addText(lines: WrappedLines, text: string, paint: Paint): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) lines.newline()
    lines.add(printable(line.replaceAll('\t', '    ')), paint)
  }
}

/** Marks tabs, wide and no-break spaces, and ordinary spaces at the end of a line and in runs. */
function addVisibly(lines: WrappedLines, text: string, paint: Paint, endsLine: boolean): void {
  const all = text.split('\n')
  for (const [index, line] of all.entries()) {
    if (index > 0) {
      lines.add('⏎', colors.dim)
      lines.newline()
    }
    const hidden = index < all.length - 1 || endsLine ? hiddenAtEnd : hiddenInside
    for (const part of line.split(hidden)) lines.add(...visible(part, paint))
  }
}

const hiddenInside = /(\t|[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]| {2,})/u
const hiddenAtEnd = /(\t|[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]| {2,}| $)/u

function visible(part: string, paint: Paint): [text: string, paint: Paint] {
  if (part === '\t') return ['→   ', colors.dim]
  if (part === '\u3000') return ['□□', colors.dim]
  if (/^[\u00a0\u2000-\u200b\u202f\u205f\ufeff]$/u.test(part)) return ['⍽', colors.dim]
  return /^( {2,}| )$/.test(part) ? ['·'.repeat(part.length), colors.dim] : [printable(part), paint]
}
