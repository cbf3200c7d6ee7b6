import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { SplitWords } from '../../../python/word-split/word-tokenize.ts'
import type { Embedder } from './embedder.ts'
import { QuestionEmbedder } from './question-embedder.ts'
import { VectorTable } from './vector-table.ts'

/** The options that decide how examples are chosen. */
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

/** The example pool, as texts. */
export type Candidates = {
  texts: readonly string[]
  /** The rows themselves, for XiezhiRetriever. */
  rows?: readonly Row[]
  embed?: Embedder
  /** Splits Chinese into words, for tokenizer: jieba. */
  words?: SplitWords
  /** The loss of each label of a row after these examples, for MDLRetriever. */
  losses?: (row: Row, examples: readonly number[]) => Promise<readonly number[]>
  where: string
  /** Reports the progress of preparing rows. */
  onProgress?: OnProgress
}

/** The progress of work before the first question: what it is, and how many rows of how many are done. */
export type Preparation = { what: 'embedding rows' | 'comparing rows'; done: number; total: number }

export type OnProgress = (preparation: Preparation) => void

/** The test row; `own` are the candidates equal to it. */
export type TestQuestion = { text: string; number: number; spare: number; row?: Row; own?: readonly number[] }

/**
 * Chooses for the row with this index and text: rows in the order shown, best first, and `spare` more than
 * requested, to replace the row itself.
 */
export type Choose = {
  /** The number of examples per row. */
  count: number
  choose(question: TestQuestion): readonly number[] | Promise<readonly number[]>
  /** Announces upcoming questions, so that many can be prepared in one request. */
  foresee?(texts: Iterable<string>): void
}

/** A way to choose examples. */
export type Retriever = {
  /** Its name in OpenCompass. */
  name: string
  /** One sentence for the docs. */
  does: string
  /** The options it reads; `config/dataset-schema.ts` describes them. */
  options: readonly (keyof RetrieverOptions)[]
  /** A worked example for the docs, which a test runs: which rows of `example-rows.ts` are shown to their question. */
  example: { options: RetrieverOptions; shows: readonly number[] }
  needsEmbeddings?: boolean
  /** It fails if there are fewer rows than the wanted examples. */
  needsCount?: true
  /** It computes entropies with the model `ce_model`. */
  needsModel?: boolean
  open(candidates: Candidates, options: RetrieverOptions): Choose | Promise<Choose>
}

/** Rows kept to replace those equal to the question; with more copies than that, fewer examples are shown. */
export const mostSpare = 16

/** Chooses by the embedding of a question, or the same rows for every question. */
type Select = ((query: readonly number[], spare: number) => readonly number[]) | { whateverIsAsked: (spare: number) => readonly number[] }

/** Drives long work step by step: reports progress and yields to the event loop. */
type InSteps = <Result>(what: Preparation['what'], steps: Generator<number, Result>, total: number) => Promise<Result>

/** Retrievers over embeddings: rows are embedded once, questions on demand, many per request. */
export function overVectors(
  usualCount: number,
  choose: (rows: VectorTable, options: RetrieverOptions & { ice_num: number }, inSteps: InSteps) => Select | Promise<Select>,
): Pick<Retriever, 'needsEmbeddings' | 'open'> {
  return {
    needsEmbeddings: true,
    async open(candidates, options) {
      const { embed, where, onProgress } = candidates
      if (!embed) throw noEmbeddings(where)
      const count = options.ice_num ?? usualCount
      const select = await choose(await embedRows(candidates, embed), { ...options, ice_num: count }, (...work) =>
        inSteps(...work, onProgress),
      )
      if ('whateverIsAsked' in select) return { count, choose: ({ spare }) => select.whateverIsAsked(spare) }
      const questions = new QuestionEmbedder(embed)
      return {
        count,
        choose: async ({ text, spare }) => select(await questions.vectorOf(text), spare),
        foresee: (texts) => questions.foresee(texts),
      }
    },
  }
}

/** The candidate rows as vectors; reports progress. */
export async function embedRows({ texts, where, onProgress }: Candidates, embed: Embedder): Promise<VectorTable> {
  const tell = (done: number) => onProgress?.({ what: 'embedding rows', done, total: texts.length })
  tell(0)
  return new VectorTable(await embed(texts, tell), `${where}.embeddings`)
}

async function inSteps<Result>(
  what: Preparation['what'],
  steps: Generator<number, Result>,
  total: number,
  onProgress: OnProgress | undefined,
): Promise<Result> {
  for (let reportedAt = 0; ; ) {
    const { value, done } = steps.next()
    if (done) return value
    const now = performance.now()
    if (now - reportedAt < 50) continue
    reportedAt = now
    onProgress?.({ what, done: value, total })
    // Lets the UI draw progress and handle Ctrl-C.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

export function noEmbeddings(where: string): PromptError {
  return new PromptError('missing', {
    where: `${where}.embeddings`,
    problem: 'this retriever compares embeddings, but the config does not say where they come from',
    fix: 'write embeddings: { base_url, model } for an OpenAI-compatible endpoint, embeddings: energetic-ai without a network, or a function in a TypeScript config; or set ROLECALL_EMBEDDINGS=MODEL@URL for all datasets',
  })
}

export function noEntropyModel(where: string): PromptError {
  return new PromptError('missing', {
    where: `${where}.ce_model`,
    problem: 'this retriever needs a model to compute entropies, and none is named',
    fix: 'write ce_model: { type: embedded, … }, a model that can be scored, and a template for each label; or set ROLECALL_CE_MODEL=MODEL@URL for all datasets',
  })
}

export function tooMany(where: string, count: number, total: number, option: 'ice_num' | 'k' = 'ice_num'): PromptError {
  return new PromptError('too-few-rows', {
    where: `${where}.${option}`,
    problem: `${count} examples are wanted from ${total} rows`,
    fix: 'choose fewer',
  })
}
