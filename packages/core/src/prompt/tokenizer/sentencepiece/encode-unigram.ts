import { characterLength } from './normalize.ts'
import { none } from './pair-map.ts'
import type { Encode, Segments } from './place-segments.ts'
import { Trie } from './trie.ts'
import type { SentencePieceVocabulary } from './vocabulary.ts'

/** The penalty of a character without a piece, below the worst piece. */
const unknownPenalty = 10
const largestFloat = 3.4028234663852886e38
const smallestFloat = 1.1754943508222875e-38

/**
 * The most probable segmentation of a text (Viterbi; Kudo 2018, https://arxiv.org/abs/1804.10959). Scores are summed in 32 bits as in
 * sentencepiece, since the rounding breaks ties.
 */
export function unigramEncoder({ pieces, ids, unknown }: SentencePieceVocabulary): Encode {
  const trie = new Trie(ids)
  const normalScores = pieces.flatMap(({ type, score }) => (type === 'normal' ? [score] : []))
  const unknownScore = Math.fround(normalScores.reduce((lowest, score) => Math.min(lowest, score), largestFloat) - unknownPenalty)
  const highest = normalScores.reduce((most, score) => Math.max(most, score), smallestFloat)
  // A user-defined symbol is better than any piece, so that it is taken whenever the text has it.
  const scores = Float64Array.from(pieces, ({ text, type, score }) =>
    type === 'user-defined' ? Math.fround(utf8Length(text) * highest) - 0.1 : score,
  )

  const unused = Uint8Array.from(pieces, ({ type }) => (type === 'unused' ? 1 : 0))

  return (text, _symbolLength, isProtected) => {
    const { length } = text
    // For every position the best path to it: its score, and the start and id of its last piece.
    const best = new Float32Array(length + 1)
    const starts = new Int32Array(length + 1).fill(none)
    const lastIds = new Int32Array(length + 1)

    for (let start = 0, size = 0; start < length; start += size) {
      size = characterLength(text, start)
      const scoreHere = best[start]!
      let hasCharacter = false
      for (let at = start, node = 0; at < length; ) {
        node = trie.child(node, text.charCodeAt(at++))
        if (node === none) break
        const id = trie.idAt(node)
        if (id === none || unused[id] === 1 || isProtected?.(id) === true) continue
        const score = scoreHere + scores[id]!
        if (starts[at] === none || score > best[at]!) {
          best[at] = score
          starts[at] = start
          lastIds[at] = id
        }
        if (at === start + size) hasCharacter = true
      }
      const end = start + size
      const unknownHere = Math.fround(scoreHere + unknownScore)
      if (!hasCharacter && (starts[end] === none || unknownHere > best[end]!)) {
        best[end] = unknownHere
        starts[end] = start
        lastIds[end] = unknown
      }
    }

    const segments: Segments = { ids: [], ends: [] }
    for (let end = length; end > 0; end = starts[end]!) {
      segments.ids.push(lastIds[end]!)
      segments.ends.push(end)
    }
    segments.ids.reverse()
    segments.ends.reverse()
    return segments
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
