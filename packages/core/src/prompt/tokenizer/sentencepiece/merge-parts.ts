import { MergeQueue } from './merge-queue.ts'
import { characterLength } from './normalize.ts'
import { none, PairMap } from './pair-map.ts'
import type { Segments } from './place-segments.ts'
import type { SentencePieceVocabulary } from './vocabulary.ts'

/**
 * The merge tables. Parts are numbers: the id of a piece, or a number beyond all ids for a character that is not a piece but occurs in one.
 */
export type Merges = {
  partOf: ReadonlyMap<number, number>
  /** The piece that two parts merge into. */
  pieceOf: PairMap
  /** The rank of each piece's score, the best first. */
  ranks: Int32Array
  lengths: Int32Array
  unused: Uint8Array
  unknown: number
}

export function readMerges({ pieces, ids, unknown }: SentencePieceVocabulary): Merges {
  const partOf = new Map<number, number>()
  for (const text of ids.keys()) {
    for (const character of text) {
      const code = character.codePointAt(0)!
      if (!partOf.has(code)) partOf.set(code, ids.get(character) ?? pieces.length + partOf.size)
    }
  }
  const pieceOf = new PairMap()
  for (const [text, id] of ids) {
    for (let at = characterLength(text, 0); at < text.length; at += characterLength(text, at)) {
      const left = partNumber(text.slice(0, at))
      const right = left === undefined ? undefined : partNumber(text.slice(at))
      if (left !== undefined && right !== undefined) pieceOf.set(left, right, id)
    }
  }
  const distinct = [...new Set(pieces.map(({ score }) => score))].sort((a, b) => b - a)
  const rankOf = new Map(distinct.map((score, rank) => [score, rank]))
  return {
    partOf,
    pieceOf,
    ranks: Int32Array.from(pieces, ({ score }) => rankOf.get(score)!),
    lengths: Int32Array.from(pieces, ({ text }) => text.length),
    unused: Uint8Array.from(pieces, ({ type }) => (type === 'unused' ? 1 : 0)),
    unknown,
  }

  function partNumber(text: string): number | undefined {
    return ids.get(text) ?? (text.length === characterLength(text, 0) ? partOf.get(text.codePointAt(0)!) : undefined)
  }
}

/** In place of the next part: this part has been merged into another. */
const merged = -1

/** Merges the characters of a text until no adjacent pair is a piece. */
export function mergeParts(text: string, merges: Merges, isProtected: ((id: number) => boolean) | undefined): Segments {
  const { partOf, pieceOf, ranks, lengths, unused, unknown } = merges
  // The parts in order: their numbers, their starts (each ends where the next begins), and their neighbours.
  const parts = new Int32Array(text.length)
  const starts = new Int32Array(text.length + 1)
  const next = new Int32Array(text.length)
  const previous = new Int32Array(text.length + 1)
  let count = 0
  for (let at = 0; at < text.length; count++) {
    parts[count] = partOf.get(text.codePointAt(at)!) ?? none
    starts[count] = at
    next[count] = count + 1
    previous[count] = count - 1
    at += characterLength(text, at)
  }
  starts[count] = text.length

  // How an avoided piece was merged, to split it again: the merges of a piece are the same everywhere.
  const halves = new Map<number, { left: number; right: number; leftLength: number }>()
  const queue = new MergeQueue(count)
  for (let part = 0; part < count - 1; part++) consider(part)

  while (queue.size > 0) {
    const { key, piece } = queue
    queue.pop()
    const left = key % count
    const right = next[left]!
    if (right === merged || right === count) continue
    const after = next[right]!
    // Stale: one of the two has been merged since.
    if (starts[after]! - starts[left]! !== lengths[piece]) continue
    parts[left] = piece
    next[right] = merged
    next[left] = after
    previous[after] = left
    if (left > 0) consider(previous[left]!)
    if (after < count) consider(left)
  }

  const segments: Segments = { ids: [], ends: [] }
  for (let part = 0; part < count; part = next[part]!) write(parts[part]!, starts[part]!, starts[next[part]!]!)
  return segments

  /** Queues the merge of a part with the next one, if there is a piece for it. */
  function consider(left: number): void {
    const right = next[left]!
    const id = pieceOf.get(parts[left]!, parts[right]!)
    if (id === none) return
    queue.push(ranks[id]! * count + left, id)
    if (isAvoided(id)) halves.set(id, { left: parts[left]!, right: parts[right]!, leftLength: starts[right]! - starts[left]! })
  }

  function write(part: number, start: number, end: number): void {
    const id = part === none || part >= lengths.length ? unknown : part
    const pair = isAvoided(id) ? halves.get(id) : undefined
    if (pair === undefined) {
      segments.ids.push(id)
      segments.ends.push(end)
    } else {
      write(pair.left, start, start + pair.leftLength)
      write(pair.right, start + pair.leftLength, end)
    }
  }

  function isAvoided(id: number): boolean {
    return unused[id] === 1 || isProtected?.(id) === true
  }
}
