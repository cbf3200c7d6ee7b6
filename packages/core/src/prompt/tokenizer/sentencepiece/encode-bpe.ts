import { mergeParts, readMerges } from './merge-parts.ts'
import { none, PairMap } from './pair-map.ts'
import type { Encode, Segments } from './place-segments.ts'
import type { SentencePieceVocabulary } from './vocabulary.ts'

// A longer slice keeps its whole source text in memory (in V8), and seldom recurs.
const longestCached = 12
const mostCached = 20_000

/**
 * Byte-pair encoding as sentencepiece does it: of all neighbours that make a piece together, those with the best score are
 * merged first, the leftmost of equals; user-defined symbols merge with nothing. (Sennrich et al., https://arxiv.org/abs/1508.07909)
 *
 * Characters that are adjacent in no piece never end up in one. So the text falls into chunks, mostly words, that
 * are merged separately, with the same result; results of short ones are cached.
 */
export function bpeEncoder(vocabulary: SentencePieceVocabulary): Encode {
  const { ids, unknown } = vocabulary
  const merges = readMerges(vocabulary)
  const neighbours = neighboursIn(ids.keys())
  const cache = new Map<string, Segments>()

  return (text, symbolLength, isProtected) => {
    const segments: Segments = { ids: [], ends: [] }
    let start = 0
    let before = none
    for (let at = 0; at < text.length; ) {
      const symbol = symbolLength === undefined ? 0 : symbolLength(text, at)
      if (symbol > 0) {
        writeChunk(start, at)
        at += symbol
        write(ids.get(text.slice(at - symbol, at)) ?? unknown, at)
        start = at
        continue
      }
      const code = text.codePointAt(at)!
      if (at > start && neighbours.get(before, code) === none) {
        writeChunk(start, at)
        start = at
      }
      before = code
      at += code > 0xffff ? 2 : 1
    }
    writeChunk(start, text.length)
    return segments

    function writeChunk(start: number, end: number): void {
      if (start === end) return
      const chunk = text.slice(start, end)
      const parts = isProtected === undefined ? mergeCached(chunk) : mergeParts(chunk, merges, isProtected)
      for (let index = 0; index < parts.ids.length; index++) write(parts.ids[index]!, start + parts.ends[index]!)
    }

    function write(id: number, end: number): void {
      segments.ids.push(id)
      segments.ends.push(end)
    }
  }

  function mergeCached(chunk: string): Segments {
    if (chunk.length > longestCached) return mergeParts(chunk, merges, undefined)
    let parts = cache.get(chunk)
    if (parts === undefined) {
      parts = mergeParts(chunk, merges, undefined)
      if (cache.size === mostCached) cache.clear()
      cache.set(chunk, parts)
    }
    return parts
  }
}

/** Which characters are adjacent in any of some texts. */
function neighboursIn(texts: Iterable<string>): PairMap {
  const neighbours = new PairMap()
  for (const text of texts) {
    let before = none
    for (const character of text) {
      const code = character.codePointAt(0)!
      if (before !== none) neighbours.set(before, code, 1)
      before = code
    }
  }
  return neighbours
}
