import type { Constraint } from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import type { ReplyCall } from '@rolecall/core/internal/reply'
import type { Token, Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { Guides } from './constrained.ts'
import type { LaterConstraint } from './later-constraint.ts'
import type { Sampling } from './sampling.ts'

/** An alternative token at a position, and the natural logarithm of its probability. */
export type LikelyToken = { id: number; logProbability: number }

/** How a reply is generated: its length, its stops, how tokens are sampled. */
export type GenerateOptions = {
  /** Maximum number of generated tokens. */
  maxTokens: number
  /** Minimum number of generated tokens: until then nothing stops the reply. */
  minTokens?: number
  /** Texts that end the reply, in addition to the prompt's stops. */
  stopTexts?: readonly string[]
  sampling?: Partial<Sampling> | undefined
  /** The form of the reply. The reply ends where its value ends; truncated by `maxTokens` it is the beginning of one. */
  constraint?: Constraint | undefined
  /** A constraint that starts at a mark of an otherwise free reply; only models that sample locally enforce it. */
  later?: LaterConstraint | undefined
  /** What compiles and follows constraints, instead of this process: for constraints from requests. */
  guides?: Guides | undefined
  /** Fields for the model's server, by its names, for models that forward them. */
  forwarded?: Readonly<Record<string, unknown>> | undefined
  signal?: AbortSignal | undefined
  /** The messages of a chat as JSON (`bodyOf`), if the caller has already serialized them. */
  body?: string | undefined
  /** Called with the reply as it is generated; never with text after a stop. */
  onText?: (text: string) => void
  /** How many of the likeliest tokens to return at each position of the reply, if the model can. */
  topTokens?: number
  /** Called with each token of the reply before its text; models that only return whole replies do not call it. */
  onToken?: (token: LikelyToken & { top?: readonly LikelyToken[] }) => void
}

export type ScoreOptions = {
  /** The tokens of each prompt whose probabilities are needed; all by default. The others may be null. */
  needs?: (token: Token, prompt: number) => boolean
  /** How many of the likeliest tokens to return at each position of a prompt, if the model can. */
  topTokens?: number
  signal?: AbortSignal
}

/** The reply of a model. */
export type ModelReply = {
  /** The reply up to the stop, which is not part of it. */
  text: string
  /** The generated tokens without the one that stopped the reply; undefined if the server does not return them. */
  ids?: readonly number[]
  /** Calls and reasoning that a server has already parsed out of the reply; `text` is the rest. */
  calls?: readonly ReplyCall[]
  reasoning?: string
  /** The log-probability of each of `ids`. */
  logProbabilities?: readonly number[]
  /** The likeliest tokens at the position of each of `ids`, if requested. */
  topTokens?: readonly (readonly LikelyToken[])[]
  /** The tokens of the reply with their log-probabilities, as a chat server describes them: it has no ids. */
  describedTokens?: readonly unknown[]
  /** `stop`: at one of the stops; `length`: at the token limit, or at the end of the context. */
  finish: 'stop' | 'length' | 'aborted'
  /** The stop text, or the text of the stop token, if known. */
  stoppedBy?: string | undefined
  /** The token that stopped the reply, if known: the model sampled it, too. */
  stopToken?: LikelyToken | undefined
  /** Tokens of the prompt, how many of them were cached from an earlier request, and tokens of the reply; `unreported` is 1 if the server did not count them. */
  tokens: { prompt: number; reused: number; reply: number; unreported?: number }
  notes: readonly Note[]
}

/** A prompt's tokens and their log-probabilities. */
export type ScoredPrompt = {
  tokens: readonly Token[]
  /** The natural logarithm of each token's probability; the first token has none. */
  logProbabilities: readonly (number | null)[]
  /** Whether each token was the likeliest at its position, where needed; undefined if a server does not report it. */
  isLikeliest?: readonly (boolean | null)[] | undefined
  /** The likeliest tokens at each position, if requested; undefined for the first. */
  topTokens?: readonly (readonly LikelyToken[] | null)[]
  /** Tokens that were cached from an earlier request. */
  reused: number
  notes: readonly Note[]
}

/** A model: the embedded one, a server, a GGUF file. */
export type LanguageModel = {
  name: string
  /** Turns prompts into the model's tokens; undefined if only the server can. */
  tokenizer?: Tokenizer
  /** Maximum tokens of a prompt and its reply. */
  context?: number
  /** How many concurrent requests it serves; 1 by default. */
  concurrency?: number
  /** Requests that wait outside of these, because the server is limiting them. */
  held?(): number
  /** Requests are collected: those of a row that do not depend on each other are sent together. */
  collects?: true
  /** It samples locally and always needs a seed: one is generated if the config has none. */
  drawsHere?: true
  /** It encodes prompts here: for token ids in place of text, it gives the same reply. */
  encodesHere?: true
  generate(prompt: Prompt, options: GenerateOptions): Promise<ModelReply>
  /** Throws if a constraint cannot be enforced (`cannot-constrain`). Undefined if only a request can tell. */
  checkConstraint?(constraint: Constraint): void
  /** Scores prompts with a common prefix, e.g. one per label: the prefix is read once. Undefined if it cannot score. */
  score?(prompts: readonly Prompt[], options?: ScoreOptions): Promise<ScoredPrompt[]>
  /** Sends a request to its server: the path below the base URL, and the body, whose model is replaced. Undefined if it runs here. */
  forward?(path: string, body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string>
  close?(): Promise<void>
}
