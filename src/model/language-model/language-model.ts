import type { Note } from '../../base/errors/note.ts'
import type { Prompt } from '../../prompt/format/format.ts'
import type { Token } from '../../prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'
import type { Constraint } from '../constrain/constraint.ts'
import type { ReplyCall } from '../reply/reply.ts'
import type { LaterConstraint } from './later-constraint.ts'
import type { Sampling } from './sampling.ts'

/** A token that might have stood at a place, and the natural logarithm of its probability. */
export type LikelyToken = { id: number; logProbability: number }

/** How a reply is generated: its length, its stops, how tokens are sampled. */
export type GenerateOptions = {
  /** Maximum number of generated tokens. */
  maxTokens: number
  /** The fewest: until then nothing stops the reply. */
  minTokens?: number
  /** Texts that end the reply, besides the prompt's own stops. */
  stopTexts?: readonly string[]
  sampling?: Partial<Sampling> | undefined
  /** What the reply has to be. It ends where that ends; cut by `maxTokens` it is the beginning of it. */
  constraint?: Constraint | undefined
  /** What comes behind a mark of a reply that is free otherwise; only models that draw here keep to it. */
  later?: LaterConstraint | undefined
  signal?: AbortSignal | undefined
  /** The messages of a chat as JSON (`bodyOf`), if the caller has already serialized them. */
  body?: string | undefined
  /** Gets the reply while it is written; never anything behind a stop. */
  onText?: (text: string) => void
  /** How many of the likeliest tokens to return at each position of the reply, if the model can. */
  topTokens?: number
  /** Gets each token of the reply before its text; a model that hears only of whole replies does not call it. */
  onToken?: (token: LikelyToken & { top?: readonly LikelyToken[] }) => void
}

export type ScoreOptions = {
  /** The tokens of each prompt whose probabilities are needed; all by default. The others may be null. */
  needs?: (token: Token, prompt: number) => boolean
  /** How many of the likeliest tokens to return at each position of a prompt, if the model can. */
  topTokens?: number
  signal?: AbortSignal
}

/** What a model answered. */
export type ModelReply = {
  /** Up to where it was stopped; the stop itself is not part of it. */
  text: string
  /** The generated tokens without the one that stopped the reply; undefined if the server does not return them. */
  ids?: readonly number[]
  /** Calls and reasoning that a server has already parsed out of the reply; `text` is the rest. */
  calls?: readonly ReplyCall[]
  reasoning?: string
  /** The log-probability of each of `ids`. */
  logProbabilities?: readonly number[]
  /** The likeliest tokens at the place of each of `ids`, where they were asked for. */
  topTokens?: readonly (readonly LikelyToken[])[]
  /** `stop`: at one of the stops; `length`: at the most tokens, or at the end of the context. */
  finish: 'stop' | 'length' | 'aborted'
  /** The text or the token's text that it was stopped at, where that is known. */
  stoppedBy?: string | undefined
  /** Tokens of the prompt, those of them that were still known from an earlier request, and tokens of the reply. */
  tokens: { prompt: number; reused: number; reply: number }
  notes: readonly Note[]
}

/** A prompt's tokens, and how likely each was after those before it. */
export type ScoredPrompt = {
  tokens: readonly Token[]
  /** The natural logarithm of each token's probability; the first token has none. */
  logProbabilities: readonly (number | null)[]
  /** Whether each token was the likeliest one at its place, where it was needed; undefined where a server does not tell. */
  isLikeliest?: readonly (boolean | null)[] | undefined
  /** The likeliest tokens at each place, where they were asked for; nothing is known of the first. */
  topTokens?: readonly (readonly LikelyToken[] | null)[]
  /** Tokens that were still known from an earlier request. */
  reused: number
  notes: readonly Note[]
}

/** Whatever answers prompts: the embedded model, a server, a GGUF file. */
export type LanguageModel = {
  name: string
  /** Turns prompts into the model's tokens; undefined where only the server can. */
  tokenizer?: Tokenizer
  /** The most tokens of a prompt and its reply. */
  context?: number
  /** How many requests it serves at once; 1 by default. */
  concurrency?: number
  /** It draws random numbers here, and always by a seed: one is made for it where none was chosen. */
  drawsHere?: true
  generate(prompt: Prompt, options: GenerateOptions): Promise<ModelReply>
  /** Throws if a constraint cannot be enforced (`cannot-constrain`). Undefined if only a request can tell. */
  checkConstraint?(constraint: Constraint): void
  /** Scores prompts that begin alike, e.g. one for each label: what they share is read once. Undefined where it cannot. */
  score?(prompts: readonly Prompt[], options?: ScoreOptions): Promise<ScoredPrompt[]>
  close?(): Promise<void>
}
