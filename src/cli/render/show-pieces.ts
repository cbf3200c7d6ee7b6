import type { Piece } from '../../text/index.ts'
import { colors, type Paint, printable, WrappedLines } from '../terminal.ts'

/** Who wrote a stretch, as readers want to know it. */
export type Origin = 'format' | 'template' | 'field' | 'example' | 'answer'

export const originPaint: Record<Origin, Paint> = {
  format: (text) => colors.magenta(text),
  template: (text) => colors.cyan(text),
  field: (text) => colors.yellow(text),
  example: (text) => colors.blue(text),
  answer: (text) => colors.bold(colors.green(text)),
}

export const originMeaning: Record<Origin, string> = {
  format: "the model's format",
  template: "the dataset's template",
  field: 'the row',
  example: 'examples',
  answer: 'the answer',
}

export function originOf(piece: Piece, isAnswer: boolean): Origin {
  if (isAnswer) return 'answer'
  if (piece.source.by === 'format') return 'format'
  if (piece.source.example !== undefined) return 'example'
  return piece.source.by === 'template' ? 'template' : 'field'
}

export type ShowOptions = {
  width: number
  showWhitespace: boolean
  /** Which pieces are the answer. */
  isAnswer?: (index: number) => boolean
}

/**
 * Pieces as lines for the terminal, coloured by origin. Control text stands between ⟦ and ⟧, so that it can be told from
 * look-alikes without colours, too.
 */
export function showPieces(pieces: readonly Piece[], { width, showWhitespace, isAnswer = () => false }: ShowOptions): string[] {
  const lines = new BracketedLines(width)
  for (const [index, piece] of pieces.entries()) {
    const paint = originPaint[originOf(piece, isAnswer(index))]
    lines.inControl = !('text' in piece) || (piece.control && piece.source.by === 'format')
    if ('ids' in piece) lines.add(piece.ids.map((id) => `#${id}`).join(' '), paint)
    else if ('image' in piece) lines.add(`[image ${printable(piece.image.url).slice(0, 60)}]`, paint)
    else addText(lines, piece.text, paint, showWhitespace)
  }
  return lines.end()
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

  override end(): string[] {
    if (this.#isOpen) this.#bracket(false)
    return super.end()
  }

  #bracket(open: boolean): void {
    this.#isOpen = open
    super.add(open ? '⟦' : '⟧', colors.dim)
  }
}

function addText(lines: WrappedLines, text: string, paint: Paint, showWhitespace: boolean): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) {
      if (showWhitespace) lines.add('⏎', colors.dim)
      lines.newline()
    }
    if (showWhitespace) addVisibly(lines, line, paint)
    else lines.add(printable(line.replaceAll('\t', '    ')), paint)
  }
}

/** Tabs, wide and no-break spaces always; ordinary spaces at the end of a line and in runs, where they are easily missed. */
function addVisibly(lines: WrappedLines, line: string, paint: Paint): void {
  for (const part of line.split(/(\t|[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]| {2,}| $)/u)) {
    if (part === '\t') lines.add('→   ', colors.dim)
    else if (/^[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]$/u.test(part)) lines.add(part === '\u3000' ? '□□' : `⍽`, colors.dim)
    else if (/^ +$/.test(part)) lines.add('·'.repeat(part.length), colors.dim)
    else lines.add(printable(part), paint)
  }
}
