import { type ChecksOf, checkOptionsOf, isNumber, PromptError } from '@rolecall/core/internal/errors'
import { tokenizeCharacters, tokenizeWords, wordsFor } from '../../../python/word-split/word-tokenize.ts'
import type { Candidates, Retriever, RetrieverOptions } from './retriever.ts'

/** The constants of Okapi BM25; the defaults are rank_bm25's. */
export type Bm25Options = { k1?: number; b?: number; epsilon?: number }

/** Ranks documents by the words they share with a query: Okapi BM25 as in rank_bm25. */
export class Bm25Index {
  readonly averageLength: number
  /** The mean over all words, before negative ones are replaced. */
  readonly averageIdf: number
  readonly #words = new Map<string, number>()
  readonly #idf: Float64Array
  /** For each word its documents in sequence, and the contribution of one occurrence in a query to each. */
  readonly #begins: Uint32Array
  readonly #documents: Uint32Array
  readonly #gains: Float64Array
  readonly #scores: Float64Array

  constructor(documents: readonly (readonly string[])[], options: Bm25Options = {}) {
    checkOptionsOf(options, { k1: isNumber, b: isNumber, epsilon: isNumber } satisfies ChecksOf<Bm25Options>, 'Bm25Index › options')
    const { k1 = 1.5, b = 0.75, epsilon = 0.25 } = options
    const counted = documents.map((words) => this.#count(words))
    const total = documents.reduce((sum, words) => sum + words.length, 0)
    if (total === 0) {
      throw new PromptError('no-words', {
        where: 'the rows for examples',
        problem: documents.length === 0 ? 'there are none' : 'they have no words to search for',
        fix: 'name their columns in reader_cfg.input_columns',
      })
    }
    this.averageLength = total / documents.length
    const frequencies = new Uint32Array(this.#words.size + 1)
    for (const counts of counted) for (const word of counts.keys()) frequencies[word + 1]!++
    this.#idf = Float64Array.from({ length: this.#words.size }, (_, word) => {
      const frequency = frequencies[word + 1]!
      return Math.log(documents.length - frequency + 0.5) - Math.log(frequency + 0.5)
    })
    this.averageIdf = this.#idf.reduce((sum, idf) => sum + idf, 0) / this.#idf.length
    for (const [word, idf] of this.#idf.entries()) if (idf < 0) this.#idf[word] = epsilon * this.averageIdf
    this.#begins = frequencies
    for (let word = 1; word < frequencies.length; word++) frequencies[word]! += frequencies[word - 1]!
    this.#documents = new Uint32Array(frequencies.at(-1)!)
    this.#gains = new Float64Array(frequencies.at(-1)!)
    const next = frequencies.slice(0, -1)
    for (const [document, counts] of counted.entries()) {
      const damping = k1 * (1 - b + (b * documents[document]!.length) / this.averageLength)
      for (const [word, count] of counts) {
        const place = next[word]!++
        this.#documents[place] = document
        this.#gains[place] = this.#idf[word]! * ((count * (k1 + 1)) / (count + damping))
      }
    }
    this.#scores = new Float64Array(documents.length)
  }

  #count(words: readonly string[]): Map<number, number> {
    const counts = new Map<number, number>()
    for (const word of words) {
      let number = this.#words.get(word)
      if (number === undefined) {
        number = this.#words.size
        this.#words.set(word, number)
      }
      counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    return counts
  }

  /** The weight of a word; undefined if no document contains it. */
  idf(word: string): number | undefined {
    const number = this.#words.get(word)
    return number === undefined ? undefined : this.#idf[number]
  }

  /** The scores of all documents. The array is reused for the next query. */
  scores(query: readonly string[]): Float64Array {
    const [scores, begins, documents, gains] = [this.#scores, this.#begins, this.#documents, this.#gains]
    scores.fill(0)
    for (const word of query) {
      const number = this.#words.get(word)
      if (number === undefined || this.#idf[number] === 0) continue
      const end = begins[number + 1]!
      for (let place = begins[number]!; place < end; place++) scores[documents[place]!]! += gains[place]!
    }
    return scores
  }

  /** The nearest documents, best score first; ties go to the later document. */
  nearest(query: readonly string[], count: number): number[] {
    return highest(this.scores(query), count)
  }
}

/** The indices of the highest values; ties go to the later index. */
export function highest(values: ArrayLike<number>, count: number): number[] {
  if (count > 64) {
    return Array.from({ length: values.length }, (_, place) => place)
      .sort((one, other) => values[other]! - values[one]! || other - one)
      .slice(0, count)
  }
  const held: number[] = []
  let least = Number.NEGATIVE_INFINITY
  for (let place = 0; place < values.length; place++) {
    const value = values[place]!
    if (value < least) continue
    let at = held.length
    while (at > 0 && values[held[at - 1]!]! <= value) at--
    held.splice(at, 0, place)
    if (held.length > count) held.pop()
    if (held.length === count && count > 0) least = values[held[count - 1]!]!
  }
  return held
}

export const bm25Retriever: Retriever = {
  name: 'BM25Retriever',
  does: "The rows with the most telling words in common: Okapi BM25 on nltk's word tokens; for Chinese tokenizer: characters, or jieba for words.",
  options: ['ice_num', 'tokenizer'],
  example: { options: { ice_num: 2 }, shows: [0, 3] },
  open(candidates, { ice_num: count = 1, tokenizer = 'nltk' }) {
    const { texts } = candidates
    const words = tokenizerOf(tokenizer, candidates)
    const index = new Bm25Index(texts.map(words))
    return { count, choose: ({ text, spare }) => index.nearest(words(text), count + spare) }
  },
}

function tokenizerOf(name: NonNullable<RetrieverOptions['tokenizer']>, candidates: Candidates): (text: string) => string[] {
  if (name === 'nltk') return (text) => tokenizeWords(text)
  if (name === 'characters') return tokenizeCharacters
  const split = wordsFor('tokenizer: jieba', candidates, `${candidates.where}.tokenizer`)
  return (text) => split(text.toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word))
}
