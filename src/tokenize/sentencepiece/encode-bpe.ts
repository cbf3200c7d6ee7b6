import { MergeQueue } from './merge-queue.ts'
import { characterLength } from './normalize.ts'
import type { Encode } from './segments.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * Byte-pair encoding as sentencepiece does it: of all neighbours that make a piece together, those with the best score are
 * merged first, the leftmost of equals; user-defined symbols merge with nothing. (Sennrich et al., https://arxiv.org/abs/1508.07909)
 */
export function bpeEncoder({ pieces, ids, unknown }: Vocabulary): Encode {
  const ranks = ranksOf(pieces.map(({ score }) => score))
  const lengths = Int32Array.from(pieces, ({ text }) => text.length)
  const longest = lengths.reduce((most, length) => Math.max(most, length))

  return (text, symbolLength, isAvoided) => {
    // The parts in their order: a part begins at `starts` and ends where the next begins; a merged part has no length.
    const starts = new Int32Array(text.length + 1)
    const isSymbol = new Uint8Array(text.length)
    let count = 0
    for (let at = 0; at < text.length; ) {
      const symbol = symbolLength === undefined ? 0 : symbolLength(text, at)
      isSymbol[count] = symbol > 0 ? 1 : 0
      starts[count++] = at
      at += symbol > 0 ? symbol : characterLength(text, at)
    }
    starts[count] = text.length
    const next = new Int32Array(count)
    const previous = new Int32Array(count + 1)
    for (let part = 0; part < count; part++) {
      next[part] = part + 1
      previous[part] = part - 1
    }
    const isMerged = new Uint8Array(count + 1)

    // How an avoided piece was made, to take it apart again. As in sentencepiece the last way that was seen counts for all.
    const halves = new Map<number, number>()
    const queue = new MergeQueue(count)
    for (let part = 0; part < count - 1; part++) consider(part)

    while (queue.size > 0) {
      const { key, piece } = queue
      queue.pop()
      const left = key % count
      if (isMerged[left] === 1) continue
      const right = next[left]!
      if (right === count) continue
      const after = next[right]!
      // One of the two has become longer since, so this merge is another one now.
      if (starts[after]! - starts[left]! !== lengths[piece]) continue
      isMerged[right] = 1
      next[left] = after
      previous[after] = left
      if (left > 0) consider(previous[left]!)
      if (after < count) consider(left)
    }

    const segments = { ids: [] as number[], ends: [] as number[] }
    for (let part = 0; part < count; part = next[part]!) writePiece(starts[part]!, starts[next[part]!]!)
    return segments

    /** Puts the merge of a part with the next one in the queue, if there is a piece for it. */
    function consider(left: number): void {
      const right = next[left]!
      if (isSymbol[left] === 1 || isSymbol[right] === 1) return
      const start = starts[left]!
      const end = starts[next[right]!]!
      if (end - start > longest) return
      const id = ids.get(text.slice(start, end))
      if (id === undefined) return
      queue.push(ranks[id]! * count + left, id)
      if (isAvoided(id)) halves.set(id, starts[right]! - start)
    }

    function writePiece(start: number, end: number): void {
      const id = ids.get(text.slice(start, end)) ?? unknown
      const half = isAvoided(id) ? halves.get(id) : undefined
      if (half === undefined) {
        segments.ids.push(id)
        segments.ends.push(end)
      } else {
        writePiece(start, start + half)
        writePiece(start + half, end)
      }
    }
  }
}

/** The place of each score among all, the best first: the order of merges as whole numbers. */
function ranksOf(scores: readonly number[]): Int32Array {
  const distinct = [...new Set(scores)].sort((a, b) => b - a)
  const rankOf = new Map(distinct.map((score, rank) => [score, rank]))
  return Int32Array.from(scores, (score) => rankOf.get(score)!)
}
