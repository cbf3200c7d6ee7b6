import type { Piece } from '../../../base/text/index.ts'
import { type Ask, type Line, ofExample, type Turns } from '../adapt/script.ts'
import { arrangeLines } from './arrange-lines.ts'
import type { InternLM2Layout } from './internlm2-layout.ts'
import type { InternLM2Options } from './internlm2-options-schema.ts'
import { type FormatOrigin, lineParts } from './line-parts.ts'

/** A turn in pieces: its head, its content, its end. */
export type WrittenTurn = { begin: readonly Piece[]; said: readonly Piece[]; end: readonly Piece[]; isAnswer?: true }

type Written = {
  turns: readonly WrittenTurn[]
  /** Only the text after the last answer was requested, and there is one. */
  isContinued?: true
}

/** Writes scripts: every line separately, then the head of the model's turn. */
export function lineWriter(layout: InternLM2Layout, options: InternLM2Options, origin: FormatOrigin) {
  const parts = lineParts(layout, options, origin)
  const write = (line: Line, turn: number, isOpen: boolean): WrittenTurn => {
    const { begin, end, example, answer } = line
    const said = parts.say(line)
    const written: WrittenTurn = {
      begin: numbered(begin ? ofExample(begin, example) : parts.head(line), turn),
      said: numbered(answer ? asAnswer(said) : said, turn),
      end: isOpen ? [] : numbered(end ? ofExample(end, example) : parts.end(example), turn),
    }
    if (answer) written.isAnswer = true
    return written
  }
  return (script: Turns, { want }: Ask): Written => {
    const lines = arrangeLines(script, options, origin.path)
    const turns = lines.map((line, turn) => write(line, turn, script.isOpen === true && turn === lines.length - 1))
    const { next } = script
    if (next) {
      const begin = next.begin ?? parts.head({ ...next, path: origin.path })
      turns.push({ begin: numbered(begin, lines.length), said: [], end: [] })
    }
    const last = want === 'last-round' ? lines.findLastIndex(({ role }) => role === 'assistant') : -1
    if (last < 0) return { turns }
    // The model has generated the end of its turn, but not the newline after it.
    const newline: WrittenTurn = { begin: [], said: [], end: numbered(parts.restOfEnd(), last) }
    return { turns: [newline, ...turns.slice(last + 1)], isContinued: true }
  }
}

function numbered(pieces: readonly Piece[], turn: number): Piece[] {
  return pieces.length === 1 ? [inTurn(pieces[0]!, turn)] : pieces.map((piece) => inTurn(piece, turn))
}

/** As `{ ...piece, turn }`, which is the hot path of rendering chats. */
function inTurn(piece: Piece, turn: number): Piece {
  if (!('text' in piece)) return { ...piece, turn }
  const { text, control, source, answer } = piece
  return answer ? { text, control, source, turn, answer } : { text, control, source, turn }
}

/** The text that the model must produce, calls included; a separator may have marked a part already. */
function asAnswer(said: readonly Piece[]): readonly Piece[] {
  return said.some((piece) => piece.answer) ? said : said.map((piece) => ({ ...piece, answer: true as const }))
}
