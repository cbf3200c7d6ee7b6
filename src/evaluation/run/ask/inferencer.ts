import type { Note } from '../../../base/errors/note.ts'
import type { Quirks } from '../../../base/fidelity/quirks.ts'
import type { PyValue } from '../../../base/python/index.ts'
import type { Constraint } from '../../../model/constrain/constraint.ts'
import type { ModelReply, ScoredPrompt } from '../../../model/language-model/language-model.ts'
import type { PromptMaker } from '../../../prompt/compile/prompt-maker.ts'
import type { Conversation } from '../../../prompt/conversation/conversation.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import type { Prompt } from '../../../prompt/format/format.ts'
import type { Token } from '../../../prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import type { Generation } from './generation.ts'
import type { NeededFields } from './template-fields.ts'

/**
 * A way to ask a model, by the name that OpenCompass has for it. For a row it yields requests, is given their answers, and returns
 * the prediction. Who drives it decides where answers come from: a model (`askModel`), a record (`replay`), or stand-ins
 * (`rowPrompts`). So what is shown, hashed and sent is written once.
 */
export type Inferencer = {
  /** Whether prompts leave the answer to the model, or are complete. */
  mode: 'gen' | 'ppl'
  needs: 'generate' | 'score'
  /** Templates and rows are read as chats, message by message, without rounds. */
  readsChats?: true
  /** It asks in token ids, so that nothing can be asked before the model's tokenizer is known. */
  needsTokenizer?: true
  /** Its scores are log-likelihoods of the choices, which tell how probable each of them is. */
  scoresChoices?: true
  /** Finds mistakes in the config that would fail every row. */
  check?(plan: RequestPlan): void
  ask(plan: RequestPlan, question: RowQuestion): RequestGenerator
  /** What the answer to a row is compared with, where that is not just the row's output column. */
  gold?(dataset: DatasetConfig, row: Row): PyValue | undefined
}

/** What all rows of a model and a dataset share while they are asked. */
export type RequestPlan = {
  inferencer: Inferencer
  maker: PromptMaker
  model: ModelConfig
  dataset: DatasetConfig
  /** Where the dataset is written, for errors. */
  where: string
  generation: Generation
  /** What every generated answer has to be. */
  constraint?: Constraint | undefined
  /** How many answers each row gets. */
  samples: number
  quirks: Quirks
  /** Tool calls are read from replies, as they are scored or the dataset has tools. */
  readsCalls: boolean
  /** The model's own, where it is known. */
  tokenizer?: Tokenizer | undefined
  /** Counts what `max_seq_len` limits; undefined where that cannot be counted. */
  count?: ((prompt: Prompt) => number) | undefined
  /** What a row must have to be asked; undefined where nothing is looked for. */
  needed?: NeededFields | undefined
  /** Writes a prompt: as fast as it can be, or with the conversation it was made of, to look at. */
  write(question: PromptQuestion): ComposedPrompt
}

export type RowQuestion = { row: Row; examples: readonly Row[] }

export type PromptQuestion = RowQuestion & {
  mode: 'gen' | 'ppl'
  label?: string | undefined
  /** Leaves `sep_token` in the text. */
  keepSeparator?: boolean | undefined
}

/** A prompt, and what was said before the format wrote it, where that was asked for. */
export type ComposedPrompt = { prompt: Prompt; conversation?: Conversation | undefined }

/** One prompt of a request, and what tells it from the others of its row. */
export type RequestPrompt = ComposedPrompt & {
  label?: string | undefined
  /** Which turn of the model it asks for, from 1, where there are several. */
  round?: number | undefined
  /** It is the label's answer behind `normalizing_str`, without the question. */
  isNormalizer?: true | undefined
}

/** What a model is sent for a row, in one go. */
export type Request =
  | {
      kind: 'generate'
      prompts: readonly RequestPrompt[]
      /** How many answers each prompt gets. */
      samples: number
      /** Set where the next request depends on the answer: what takes its place where no model is asked. */
      standIn?: string | undefined
    }
  | {
      kind: 'score'
      prompts: readonly RequestPrompt[]
      /** The tokens whose probabilities are needed; all by default. */
      needs?: ((token: Token, prompt: number) => boolean) | undefined
      /** What else of the row decides about the prediction, for the key of the answer. */
      compared: PyValue
      /** What `max_seq_len` limits, where it is not the prompts themselves. */
      counted?: readonly Prompt[] | undefined
    }

/** What an inferencer is given of a reply. */
export type GivenReply = Pick<ModelReply, 'text' | 'ids' | 'calls' | 'reasoning'>

/** A reply for each sample of each prompt, in their order; or each prompt's tokens. A stand-in takes the place of replies that nobody gave. */
export type RequestAnswer =
  | { kind: 'generate'; replies: readonly GivenReply[]; isStandIn?: true }
  | { kind: 'score'; scored: readonly ScoredPrompt[] }

export type RequestGenerator = Generator<Request, Prediction, RequestAnswer>

/** What comes of a row's answers. */
export type Prediction = {
  /** What is compared with the gold answer. */
  prediction: string | number | readonly string[]
  /** For perplexity and likelihood. */
  scores?: readonly ScoredLabel[]
  /** What is to be told about how it was asked. */
  notes?: readonly Note[]
}

/** How likely one prompt of a row was: the one of a label, a choice, or the row itself. */
export type ScoredLabel = {
  label?: string
  /** What is compared: mean negative log-likelihood (perplexity), or log-likelihood. */
  value: number
  /** Of each token of the prompt; the first has none. */
  logProbabilities: readonly (number | null)[]
  /** Whether each token of what is weighed was the likeliest one, where that was asked and is known. */
  isGreedy?: boolean | undefined
}

/** Yields a request to generate, and gives its replies. */
export function* generated(
  request: Request & { kind: 'generate' },
): Generator<Request, RequestAnswer & { kind: 'generate' }, RequestAnswer> {
  const answer = yield request
  if (answer.kind === 'generate') return answer
  throw new Error('a request to generate was answered with scores')
}

/** Yields a request to score, and gives each prompt's tokens. */
export function* scored(request: Request & { kind: 'score' }): Generator<Request, readonly ScoredPrompt[], RequestAnswer> {
  const answer = yield request
  if (answer.kind === 'score') return answer.scored
  throw new Error('a request to score was answered with replies')
}
