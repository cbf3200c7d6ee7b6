import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { Row } from '../dataset/row.ts'
import type { Prompt } from '../format/format.ts'
import type { LanguageModel, Reply } from '../model/language-model.ts'
import type { Note } from '../note.ts'
import type { PromptMaker } from '../prompt/compile-prompt.ts'
import type { PyValue } from '../python/index.ts'
import type { Generation } from './generation.ts'

/** What all rows of a model and a dataset share, before the model is there. */
export type PlanContext = {
  maker: PromptMaker
  modelConfig: ModelConfig
  dataset: DatasetConfig
  /** Where the dataset is written, for errors. */
  where: string
  generation: Generation
  /** How many answers each row gets. */
  samples: number
  /** Counts what `max_seq_len` limits; undefined where that cannot be counted. */
  count?: (prompt: Prompt) => number
}

/** What is asked of a model for one row, and with what. */
export type InferContext = PlanContext & { model: LanguageModel; signal?: AbortSignal }

export type RowQuestion = { row: Row; examples: readonly Row[] }

/** How likely one prompt of a row was: the one of a label, a choice, or the row itself. */
export type ScoredLabel = {
  label?: string
  /** What is compared: mean negative log-likelihood (perplexity), or log-likelihood. */
  value: number
  /** Of each token of the prompt; the first has none. */
  logProbabilities: readonly (number | null)[]
}

/** What came out for one row. */
export type Inferred = {
  /** What is compared with the gold answer. */
  prediction: string | number | readonly string[]
  /** What was sent: one prompt, or one for each label. */
  prompts: readonly Prompt[]
  /** For generation. */
  finish?: Reply['finish']
  /** For perplexity and likelihood. */
  scores?: readonly ScoredLabel[]
  tokens: { prompt: number; reused: number; reply: number }
  examples: { used: number; dropped: number }
  notes: readonly Note[]
}

/** A way to ask a model, by the name that OpenCompass has for it. */
export type Inferencer = {
  /** Whether prompts leave the answer to the model, or are complete. */
  mode: 'gen' | 'ppl'
  needs: 'generate' | 'score'
  /** Its scores are log-likelihoods of the choices, which tell how probable each of them is. */
  weighsChoices?: true
  /** Finds mistakes in the config before anything is asked. */
  check?(context: Pick<PlanContext, 'maker' | 'where'>): void
  infer(context: InferContext, question: RowQuestion): Promise<Inferred>
  /** What the answer to a row is compared with, where that is not just the row's output column. */
  gold?(dataset: DatasetConfig, row: Row): PyValue | undefined
  /** The prompts it would send, for a dry run. */
  prompts(context: PlanContext, question: RowQuestion): Prompt[]
}
