import type { PromptMaker } from '@rolecall/core/internal/compile'
import type { Constraint } from '@rolecall/core/internal/constrain'
import type { Conversation, Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import type { Quirks } from '@rolecall/core/internal/fidelity'
import type { Prompt } from '@rolecall/core/internal/format'
import type { PyValue } from '@rolecall/core/internal/python'
import type { Token, Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { ModelReply, ScoredPrompt } from '../../../model/language-model/language-model.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import type { Generation } from './generation.ts'
import type { NeededFields } from './template-fields.ts'

/**
 * A way to query a model, under OpenCompass's name. For a row it yields requests, receives their answers, and returns the prediction. Its
 * driver decides where answers come from: a model (`askModel`), a record (`replayRecord`), or stand-ins (`rowPrompts`). So what is
 * shown, hashed and sent is rendered by the same code.
 */
export type Inferencer = {
  /** Whether prompts end before the answer, or include it. */
  mode: 'gen' | 'ppl'
  needs: 'generate' | 'score'
  /** It scores, and may generate before. */
  mayGenerate?: true
  /** Templates and rows are read as chats, message by message, without rounds. */
  readsChats?: true
  /** It needs token ids, so nothing can be sent before the model's tokenizer is known. */
  needsTokenizer?: true
  /** Its scores are log-likelihoods of the choices. */
  scoresChoices?: true
  /** Finds mistakes in the config that would fail every row. */
  check?(plan: RequestPlan): void
  ask(plan: RequestPlan, question: RowQuestion): RequestGenerator
  /** The reference answer of a row, if it is not the row's output column. */
  gold?(dataset: DatasetConfig, row: Row): PyValue | undefined
}

/** Whether rows may have replies. */
export function mayReply({ needs, mayGenerate }: Inferencer): boolean {
  return needs === 'generate' || mayGenerate === true
}

/** What the rows of a model and a dataset share. */
export type RequestPlan = {
  inferencer: Inferencer
  maker: PromptMaker
  model: ModelConfig
  dataset: DatasetConfig
  /** Where the dataset is defined, for errors. */
  where: string
  generation: Generation
  /** The constraint on every generated answer. */
  constraint?: Constraint | undefined
  /** The number of answers per row. */
  samples: number
  quirks: Quirks
  /** Tool calls are parsed from replies, since they are scored or the dataset has tools. */
  readsCalls: boolean
  /** The model's tokenizer, if known. */
  tokenizer?: Tokenizer | undefined
  /** Counts what `max_seq_len` limits; undefined if it cannot be counted. */
  count?: ((prompt: Prompt) => number) | undefined
  /** The fields every row must have; undefined if they are not checked. */
  needed?: NeededFields | undefined
  /** Renders a prompt: fast, or for previews with the conversation it was made of. */
  write(question: PromptQuestion): ComposedPrompt
}

export type RowQuestion = { row: Row; examples: readonly Row[] }

export type PromptQuestion = RowQuestion & {
  mode: 'gen' | 'ppl'
  label?: string | undefined
  /** Leaves `sep_token` in the text. */
  keepSeparator?: boolean | undefined
}

/** A prompt, with the JSON of its messages if that is known, and with its conversation before formatting in previews. */
export type ComposedPrompt = { prompt: Prompt; text?: string | undefined; conversation?: Conversation | undefined }

/** One prompt of a request, and what distinguishes it from the others of its row. */
export type RequestPrompt = ComposedPrompt & {
  label?: string | undefined
  /** Which of the model's turns it requests, from 1. */
  round?: number | undefined
  /** It is the label's answer after `normalizing_str`, without the question. */
  isNormalizer?: true | undefined
}

/** Prompts of a row that are sent together. */
export type Request =
  | {
      kind: 'generate'
      prompts: readonly RequestPrompt[]
      /** The number of answers per prompt. */
      samples: number
      /** Set if the next request depends on the answer: what replaces the answer in previews. */
      standIn?: string | undefined
    }
  | {
      kind: 'score'
      prompts: readonly RequestPrompt[]
      /** The tokens whose probabilities are needed; all by default. */
      needs?: ((token: Token, prompt: number) => boolean) | undefined
      /** What else of the row decides the prediction, for the cache key. */
      compared: PyValue
      /** What `max_seq_len` limits, if not the prompts themselves. */
      counted?: readonly Prompt[] | undefined
    }

/** The part of a reply that inferencers see. */
export type GivenReply = Pick<ModelReply, 'text' | 'ids' | 'calls' | 'reasoning'>

/** A reply per sample and prompt, in order; or each prompt's tokens. A stand-in replaces replies in previews. */
export type RequestAnswer =
  | { kind: 'generate'; replies: readonly GivenReply[]; isStandIn?: true }
  | { kind: 'score'; scored: readonly ScoredPrompt[] }

export type RequestGenerator = Generator<Request, Prediction, RequestAnswer>

/** The prediction for a row. */
export type Prediction = {
  /** What is compared with the reference answer. */
  prediction: string | number | readonly string[]
  /** For perplexity and likelihood. */
  scores?: readonly ScoredLabel[]
  /** Notes about the requests. */
  notes?: readonly Note[]
}

/** The likelihood of one prompt of a row: of a label, a choice, or the row itself. */
export type ScoredLabel = {
  label?: string
  /** What is compared: mean negative log-likelihood (perplexity), or log-likelihood. */
  value: number
  /** One per token of the prompt; the first has none. */
  logProbabilities: readonly (number | null)[]
  /** Whether each scored token was the most likely one, if requested and known. */
  isGreedy?: boolean | undefined
}

/** Yields a request to generate and returns its replies. */
export function* generated(
  request: Request & { kind: 'generate' },
): Generator<Request, RequestAnswer & { kind: 'generate' }, RequestAnswer> {
  const answer = yield request
  if (answer.kind === 'generate') return answer
  throw new Error('a request to generate was answered with scores')
}

/** Yields a request to score and returns each prompt's tokens. */
export function* scored(request: Request & { kind: 'score' }): Generator<Request, readonly ScoredPrompt[], RequestAnswer> {
  const answer = yield request
  if (answer.kind === 'score') return answer.scored
  throw new Error('a request to score was answered with replies')
}
