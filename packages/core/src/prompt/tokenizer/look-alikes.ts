import { distinctNotes, type Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Piece, TextPiece } from '../../base/text/index.ts'
import type { Prompt } from '../format/format.ts'

/** What to do about text from data that looks like a marker of the format: `report` (the default) adds notes. */
export type MarkerPolicy = 'allow' | 'reject' | 'report'

/**
 * Finds markers of the format in text that it did not write, even if several pieces spell one together. If markers are tokens, these are
 * only characters; if they are plain text (Vicuna's `USER:`) no tokenizer can distinguish them, and a model may take them for a turn.
 */
export function lookAlikes(prompt: Prompt, markers: readonly string[], policy: MarkerPolicy = 'report'): Note[] {
  if (policy === 'allow') return []
  const telling = tellingOf(markers)
  if (telling.length === 0) return []
  const texts = prompt.kind === 'completion' ? [prompt.pieces] : prompt.messages.map(({ content }) => content)
  const notes = texts.flatMap(chunksOf).flatMap((chunk) => inChunk(chunk, telling))
  const [first] = notes
  if (policy === 'reject' && first) {
    throw new PromptError('marker-in-data', {
      where: first.where,
      problem: first.text,
      fix: 'change the text, or accept it with marker_policy: report',
    })
  }
  return distinctNotes(notes)
}

const known = new WeakMap<readonly string[], readonly string[]>()

/** Data need not repeat the white space around a marker to imitate it. Computed once per format, not per row. */
function tellingOf(markers: readonly string[]): readonly string[] {
  const before = known.get(markers)
  if (before) return before
  const found = [...new Set(markers.map((marker) => marker.trim()))].filter((marker) => marker.length > 2)
  known.set(markers, found)
  return found
}

/** Adjacent pieces that the format did not write: a model reads them as one text. */
function chunksOf(pieces: readonly Piece[]): TextPiece[][] {
  const chunks: TextPiece[][] = [[]]
  for (const piece of pieces) {
    if (!('text' in piece)) chunks.push([])
    else if (!piece.control) chunks.at(-1)!.push(piece)
    else if (piece.text !== '') chunks.push([])
  }
  return chunks
}

function inChunk(pieces: readonly TextPiece[], markers: readonly string[]): (Note & { where: string })[] {
  const text = pieces.map((piece) => piece.text).join('')
  const there = markers.filter((marker) => text.includes(marker))
  return there.flatMap((marker) => {
    const places: number[] = []
    for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + marker.length)) places.push(at)
    const problem = `the text contains ${JSON.stringify(marker)}, which marks turns in this format`
    return places.map((at) => ({ code: 'marker-in-data', where: writersOf(pieces, at, at + marker.length), text: problem }))
  })
}

/** The authors of the characters from start up to end. */
function writersOf(pieces: readonly TextPiece[], start: number, end: number): string {
  const writers = new Set<string>()
  let at = 0
  for (const { text, source } of pieces) {
    if (text !== '' && at < end && at + text.length > start)
      writers.add(source.example === undefined ? source.path : `example ${source.example} › ${source.path}`)
    at += text.length
  }
  return [...writers].join(', ')
}
