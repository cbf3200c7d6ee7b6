import type { Row } from '../dataset/row.ts'
import { PromptError } from '../prompt-error.ts'
import type { SplitWords } from '../score/split-words.ts'
import type { Embedder } from './embedder.ts'
import type { Vectors } from './nearest-vectors.ts'

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
export type Question = { text: string; number: number; spare: number; row?: Row; own?: readonly number[] }

/**
 * Chooses for the row with this number and text: rows in the order in which they are shown, the best first, and more than
 * asked for where `spare` says so, to replace the row itself.
 */
export type Choose = {
  /** How many are shown to a row. */
  count: number
  choose(question: Question): readonly number[] | Promise<readonly number[]>
}

/** A way to choose examples. */
export type Retriever = {
  /** The name that OpenCompass has for it. */
  name: string
  /** One sentence for the docs. */
  does: string
  /** The options it heeds; `config/dataset-schema.ts` describes them. */
  options: readonly (keyof RetrieverOptions)[]
  /** A worked example for the docs, which a test runs: which of the rows of `example-rows.ts` are shown to their question. */
  example: { options: RetrieverOptions; shows: readonly number[] }
  needsEmbeddings?: boolean
  open(candidates: Candidates, options: RetrieverOptions): Choose | Promise<Choose>
}

/** Rows that are kept to replace those that equal the question; more copies than that leave fewer examples. */
export const mostSpare = 16

/** Retrievers over embeddings: rows are embedded once, questions as they come. */
export function overVectors(
  usualCount: number,
  choose: (
    rows: Vectors,
    options: RetrieverOptions & { ice_num: number },
  ) => (query: readonly number[], spare: number) => readonly number[],
): Pick<Retriever, 'needsEmbeddings' | 'open'> {
  return {
    needsEmbeddings: true,
    async open({ texts, embed, where }, options) {
      if (!embed) throw noEmbeddings(where)
      const count = options.ice_num ?? usualCount
      const select = choose(await embed(texts), { ...options, ice_num: count })
      return { count, choose: async ({ text, spare }) => select((await embed([text]))[0]!, spare) }
    },
  }
}

export function noEmbeddings(where: string): PromptError {
  return new PromptError('missing', {
    where: `${where}.embeddings`,
    problem: 'this retriever compares embeddings, and nothing says where they come from',
    fix: 'write embeddings: { base_url, model } for an OpenAI-compatible endpoint, embeddings: energetic-ai without a network, or a function in a TypeScript config',
  })
}

export function tooMany(where: string, count: number, total: number, option: 'ice_num' | 'k' = 'ice_num'): PromptError {
  return new PromptError('too-few-rows', {
    where: `${where}.${option}`,
    problem: `${count} examples are to be chosen from ${total} rows`,
    fix: 'ask for fewer',
  })
}
