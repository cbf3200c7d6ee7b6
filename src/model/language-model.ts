import type { ChatToolCall } from '../chat/chat-message.ts'
import type { Prompt } from '../format/format.ts'
import type { Note } from '../note.ts'
import type { Token } from '../tokenize/tokenize.ts'
import type { Tokenizer } from '../tokenize/tokenizer.ts'
import type { Sampling } from './sampling.ts'

export type GenerateOptions = {
  /** The most tokens of the reply. */
  maxTokens: number
  /** The fewest: until then nothing stops the reply. */
  minTokens?: number
  /** Texts that end the reply, besides the prompt's own stops. */
  stopTexts?: readonly string[]
  sampling?: Partial<Sampling>
  signal?: AbortSignal
  /** Gets the reply while it is written; never anything behind a stop. */
  onText?: (text: string) => void
}

/** What a model answered. */
export type Reply = {
  /** Up to where it was stopped; the stop itself is not part of it. */
  text: string
  /** What it thought before, where a server keeps that apart. */
  reasoning?: string
  /** The calls it made, where a server reads them out of the text. */
  calls?: readonly ChatToolCall[]
  /** The tokens it generated, the one that stopped it left out; undefined where a server does not tell. */
  ids?: readonly number[]
  /** The log-probability of each of `ids`. */
  logProbabilities?: readonly number[]
  /** `stop`: at one of the stops; `length`: at the most tokens, or at the end of the context. */
  finish: 'stop' | 'length' | 'aborted'
  /** Tokens of the prompt, those of them that were still known from an earlier request, and tokens of the reply. */
  tokens: { prompt: number; reused: number; reply: number }
  notes: readonly Note[]
}

/** A prompt's tokens, and how likely each was after those before it. */
export type ScoredPrompt = {
  tokens: readonly Token[]
  /** The natural logarithm of each token's probability; the first token has none. */
  logProbabilities: readonly (number | null)[]
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
  generate(prompt: Prompt, options: GenerateOptions): Promise<Reply>
  /** Scores prompts that begin alike, e.g. one for each label: what they share is read once. Undefined where it cannot. */
  score?(prompts: readonly Prompt[], options?: { signal?: AbortSignal }): Promise<ScoredPrompt[]>
  close?(): Promise<void>
}
