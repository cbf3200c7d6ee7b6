import type { EncodedRun } from '../tokenizer.ts'
import { characterLength, type NormalizedText, type SymbolLength } from './normalize.ts'
import type { SentencePieceVocabulary } from './vocabulary.ts'

/** Segmented normalized text: piece i is `ids[i]` and ends before the UTF-16 unit `ends[i]`, where the next begins. */
export type Segments = { ids: number[]; ends: number[] }

/** Segments normalized text. Unused and protected pieces are split further, if there are smaller ones. */
export type Encode = (text: string, symbolLength: SymbolLength | undefined, isProtected: ((id: number) => boolean) | undefined) => Segments

/**
 * Turns segments of normalized text into tokens of the original. Text without a piece, or with only a protected one, becomes bytes if the
 * model has byte fallback; otherwise one unknown token per contiguous chunk.
 */
export function placeSegments(
  segments: Segments,
  normalized: NormalizedText,
  { unknown, byteIds }: SentencePieceVocabulary,
  isProtected: (id: number) => boolean,
): EncodedRun {
  const { text } = normalized
  const utf8 = new TextEncoder()
  const ids: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  const partial = new Set<number>()

  let start = 0
  /** Where the chunk of unknown characters before `start` begins. */
  let unknownStart = 0
  segments.ids.forEach((segmentId, index) => {
    const end = segments.ends[index]!
    if (segmentId !== unknown && !isProtected(segmentId)) {
      write(segmentId, start, end)
      unknownStart = end
    } else if (byteIds !== undefined) writeBytes(byteIds, start, end)
    else {
      if (unknownStart < start) removeLast()
      write(unknown, unknownStart, end)
    }
    start = end
  })
  return { ids, starts, ends, partial }

  function removeLast(): void {
    ids.pop()
    starts.pop()
    ends.pop()
    partial.delete(ids.length)
  }

  function write(id: number, start: number, end: number): void {
    if (isInsideCharacter(start) || isInsideCharacter(end)) partial.add(ids.length)
    ids.push(id)
    starts.push(normalized.starts[start]!)
    ends.push(normalized.ends[end - 1]!)
  }

  function writeBytes(byteIds: readonly number[], start: number, end: number): void {
    for (let at = start; at < end; ) {
      const next = at + characterLength(text, at)
      const bytes = utf8.encode(text.slice(at, next))
      for (const byte of bytes) {
        if (bytes.length > 1) partial.add(ids.length)
        write(byteIds[byte]!, at, next)
      }
      at = next
    }
  }

  /** The position is between two units that come from the same character of the original. */
  function isInsideCharacter(at: number): boolean {
    if (at === 0 || at === text.length) return false
    return normalized.starts[at] === normalized.starts[at - 1] && normalized.ends[at] === normalized.ends[at - 1]
  }
}
