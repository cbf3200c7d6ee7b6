import { hashText } from '../../evaluation/run/examine/text-hash.ts'

const word = /\p{Script=Han}+|[\p{L}\p{N}]+/gu

/**
 * Hashes of the words of a normalised text: pairs of characters where no spaces separate words. Words at the ends are left out if `isInner`,
 * because inside another text letters may adjoin them.
 */
export function questionWords(text: string, { isInner = false } = {}): number[] {
  const found: number[] = []
  for (const [one] of text.matchAll(word)) {
    if (one.length < 3 || !/\p{Script=Han}/u.test(one)) found.push(hashText(one))
    else for (let at = 0; at + 2 <= one.length; at++) found.push(hashText(one.slice(at, at + 2)))
  }
  return isInner && found.length > 4 ? found.slice(1, -1) : found
}

const buckets = 1 << 20

/** In how many texts words occur, at least: words may share a counter, because all words of a dataset may not fit into memory. */
export class WordCounts {
  readonly #counts = new Uint32Array(buckets)

  add(words: Iterable<number>): void {
    for (const bucket of new Set([...words].map((one) => one % buckets))) this.#counts[bucket]!++
  }

  of(word: number): number {
    return this.#counts[word % buckets]!
  }
}
