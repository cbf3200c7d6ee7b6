import { suggestName } from '../config/nearest.ts'
import type { Row } from '../dataset/row.ts'
import { PromptError } from '../prompt-error.ts'
import { NumpyRandom } from '../python/index.ts'
import { type SplitWords, wordsFor } from '../score/split-words.ts'
import { Bm25Index } from './bm25.ts'
import { diverseRows } from './diverse-selection.ts'
import type { Embedder } from './embedder.ts'
import { surestSet } from './minimum-description.ts'
import { nearestVectors, type Vectors } from './nearest-vectors.ts'
import { slidingWindow } from './sliding-window.ts'
import { voteK } from './vote-k.ts'
import { tokenizeCharacters, tokenizeWords } from './word-tokenize.ts'

/** What a config says about how examples are chosen. */
export type RetrieverOptions = {
  ice_num?: number
  seed?: number
  /** For SlidingWindowRetriever. */
  k?: number
  tokenizer?: 'nltk' | 'characters' | 'jieba'
  candidate_num?: number
  scale_factor?: number
  votek_k?: number
  select_time?: number
}

/** The rows that may be examples, as texts. */
export type Candidates = {
  texts: readonly string[]
  embed?: Embedder
  /** Splits Chinese into words, for tokenizer: jieba. */
  words?: SplitWords
  /** How unlikely each label of a row is after these examples, for MDLRetriever. */
  losses?: (row: Row, examples: readonly number[]) => Promise<readonly number[]>
  where: string
}

/** The row that is asked; `own` are the candidates that equal it. */
type Question = { text: string; number: number; spare: number; row?: Row; own?: readonly number[] }

/**
 * Chooses for the row with this number and text: rows in the order in which they are shown, the best first, and more than
 * asked for where `spare` says so, to replace the row itself.
 */
export type Choose = {
  /** How many are shown to a row. */
  count: number
  choose(question: Question): readonly number[] | Promise<readonly number[]>
}

/** A way to choose examples, by the name that OpenCompass has for it. */
export type Retriever = {
  does: string
  needsEmbeddings?: boolean
  open(candidates: Candidates, options: RetrieverOptions): Choose | Promise<Choose>
}

/** Rows that are kept to replace those that equal the question; more copies than that leave fewer examples. */
const mostSpare = 16

const random: Retriever = {
  does: "Random rows for each question, as numpy's legacy generator draws them with this seed (43 by default).",
  open({ texts, where }, { ice_num: count = 1, seed = 43 }) {
    if (count > texts.length) throw tooMany(where, count, texts.length)
    const generator = new NumpyRandom(seed)
    const drawn: number[][] = []
    return {
      count,
      choose({ number, spare }) {
        while (drawn.length <= number) drawn.push(generator.permutation(texts.length).slice(0, count + mostSpare))
        return drawn[number]!.slice(0, count + spare)
      },
    }
  },
}

const window_: Retriever = {
  does: 'The k rows before the one that is asked; for the first ones, filled up from the end.',
  open({ texts, where }, { k, ice_num: count = 1 }) {
    const size = k ?? count
    if (size > texts.length) throw tooMany(where, size, texts.length, k === undefined ? 'ice_num' : 'k')
    return {
      count: size,
      choose({ number }) {
        if (number <= texts.length) return slidingWindow(number, size, texts.length)
        throw new PromptError('too-few-rows', {
          where,
          problem: `row ${number} is shown the ${size} before it, and there are ${texts.length} rows for examples`,
          fix: 'leave train_path and train_range out, so that the rows that are asked are the examples, or choose another retriever',
        })
      },
    }
  },
}

const bm25: Retriever = {
  does: "The rows with the most telling words in common: Okapi BM25 on nltk's word tokens; for Chinese tokenizer: characters, or jieba for words.",
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

/** Retrievers over embeddings: rows are embedded once, questions as they come. */
function overVectors(
  does: string,
  usualCount: number,
  choose: (
    rows: Vectors,
    options: RetrieverOptions & { ice_num: number },
  ) => (query: readonly number[], spare: number) => readonly number[],
): Retriever {
  return {
    does,
    needsEmbeddings: true,
    async open({ texts, embed, where }, options) {
      if (!embed) throw noEmbeddings(where)
      const count = options.ice_num ?? usualCount
      const select = choose(await embed(texts), { ...options, ice_num: count })
      return { count, choose: async ({ text, spare }) => select((await embed([text]))[0]!, spare) }
    },
  }
}

const topk = overVectors(
  'The rows whose embeddings have the highest inner product with that of the question.',
  1,
  (rows, { ice_num: count }) =>
    (query, spare) =>
      nearestVectors(rows, query, count + spare).filter((id) => id >= 0),
)

const dpp = overVectors(
  'Of the candidate_num nearest rows those that are near and differ from each other (a determinantal point process).',
  8,
  (rows, { ice_num: count, candidate_num: candidates = 24, scale_factor: scaleFactor = 0.1 }) =>
    (query, spare) =>
      diverseRows(rows, query, { count: count + spare, candidates: candidates + spare, scaleFactor }),
)

const votek = overVectors(
  'The same rows for every question: those that many others are near to (vote-k), filled up at random with this seed.',
  1,
  (rows, { ice_num: count, votek_k: neighbours = 5, seed = 0 }) => {
    // Asked for more, vote-k would choose others: the spare ones come after those that it chooses.
    const selected = voteK(rows, { count, neighbours, overlap: 1, seed })
    const more = voteK(rows, { count: Math.min(rows.length, count + mostSpare), neighbours, overlap: 1, seed })
    const all = [...new Set([...selected, ...more])]
    return (_, spare) => all.slice(0, count + spare)
  },
)

const mdl: Retriever = {
  does: 'Of select_time sets of near rows the one with which ce_model is the surest of its label (arXiv 2212.10375).',
  needsEmbeddings: true,
  async open({ texts, embed, losses, where }, { ice_num: count = 1, candidate_num: candidates = 30, select_time: tries = 5, seed = 1 }) {
    if (!embed) throw noEmbeddings(where)
    if (!losses) {
      throw new PromptError('missing', {
        where: `${where}.ce_model`,
        problem: 'this retriever asks a model how sure it is, and none is named',
        fix: 'write ce_model: { type: embedded, … }, a model that can be scored, and a template for each label',
      })
    }
    if (count > texts.length) throw tooMany(where, count, texts.length)
    const rows = await embed(texts)
    const size = Math.min(candidates, rows.length)
    const random = new NumpyRandom(seed)
    const drawn: number[][][] = []
    return {
      count,
      async choose({ text, number, row = {}, own = [] }) {
        // What is drawn for a row depends on its number alone, in whatever order rows are asked.
        while (drawn.length <= number)
          drawn.push(Array.from({ length: tries - 1 }, () => random.choiceWithout(size, Math.min(count, size))))
        const nearest = nearestVectors(rows, (await embed([text]))[0]!, size + own.length).filter((id) => id >= 0 && !own.includes(id))
        const near = nearest.slice(0, size)
        const sets = [near.slice(0, count), ...drawn[number]!.map((places) => places.flatMap((place) => near[place] ?? []))]
        const tried: (readonly number[])[] = []
        for (const set of sets) tried.push(await losses(row, set))
        return surestSet(sets, tried)
      },
    }
  },
}

/** Retrievers that choose from all rows, by name. Zero and FixK need no choice. */
export const retrievers: Readonly<Record<string, Retriever>> = {
  RandomRetriever: random,
  SlidingWindowRetriever: window_,
  BM25Retriever: bm25,
  TopkRetriever: topk,
  DPPRetriever: dpp,
  VotekRetriever: votek,
  MDLRetriever: mdl,
}

function noEmbeddings(where: string): PromptError {
  return new PromptError('missing', {
    where: `${where}.embeddings`,
    problem: 'this retriever compares embeddings, and nothing says where they come from',
    fix: 'write embeddings: { base_url, model } for an OpenAI-compatible endpoint, embeddings: energetic-ai without a network, or a function in a TypeScript config',
  })
}

/** The retriever of this name, or an error that says which there are. */
export function retrieverOf(type: string, where: string): Retriever {
  const found = Object.hasOwn(retrievers, type) ? retrievers[type] : undefined
  if (found) return found
  throw new PromptError('unknown-retriever', {
    where: `${where}.type`,
    problem: `"${type}" is not available`,
    fix: suggestName(type, ['ZeroRetriever', 'FixKRetriever', ...Object.keys(retrievers)]),
  })
}

function tooMany(where: string, count: number, total: number, option: 'ice_num' | 'k' = 'ice_num'): PromptError {
  return new PromptError('too-few-rows', {
    where: `${where}.${option}`,
    problem: `${count} examples are to be chosen from ${total} rows`,
    fix: 'ask for fewer',
  })
}
