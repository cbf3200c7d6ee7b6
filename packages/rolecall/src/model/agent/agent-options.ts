import type { ChatMessage, Trust } from '@rolecall/core/internal/conversation'
import type { Format } from '@rolecall/core/internal/format'
import type { Model } from '@rolecall/core/internal/model'
import type { ReplySyntax, SyntaxName } from '@rolecall/core/internal/reply'
import * as z from '@rolecall/core/internal/schema'
import type { InferenceEngine } from '../language-model/inference-engine.ts'
import type { GenerateOptions, LanguageModel } from '../language-model/language-model.ts'
import type { ModelSettings } from '../model-types/model-settings.ts'
import type { AgentTool } from './agent-tool.ts'
import type { HistoryOptions } from './fit-history.ts'
import type { Interpreter } from './interpreter.ts'

/** The options of `runAgent`: the model and its format, its tools and interpreter, and the limits. */
export type AgentOptions = {
  /** What `openServer` or `openLocalModel` returns, or any other language model. */
  model: LanguageModel | InferenceEngine
  /**
   * The model's format: a model of `defineModel`, the name of a shipped format, a model's config, or a compiled format. Models of `openServer`
   * and `openLocalModel` have it already.
   */
  format?: string | Model | ModelSettings | Format
  messages: readonly ChatMessage[]
  tools?: readonly AgentTool[]
  /** Runs the model's code. Formats without an interpreter get it as a tool called `python`. */
  interpreter?: Interpreter
  /** Maximum number of model turns; 10 by default. */
  maxTurns?: number
  signal?: AbortSignal
  /** How the model writes calls; by default what its config (`reply_syntax`) or its format says. */
  syntax?: SyntaxName | ReplySyntax
  /** Maximum tokens of a reply (1,024 by default), sampling, additional stops. */
  generation?: Partial<Omit<GenerateOptions, 'signal' | 'onText'>>
  /** What to drop when the chat outgrows the model's context. */
  history?: HistoryOptions
  /**
   * Which of `messages` may carry the ids that the model generated, as when a chat continues with the messages of an earlier result; none
   * by default. The model's turns in this run are always sent back as ids.
   */
  trustsIds?: Trust['trustsIds']
}

/** The keys of `AgentOptions`; the values are checked by what uses them. */
export const agentOptionsSchema = z.strictObject({
  model: z.unknown(),
  format: z.optional(z.unknown()),
  messages: z.unknown(),
  tools: z.optional(z.unknown()),
  interpreter: z.optional(z.unknown()),
  maxTurns: z.optional(z.unknown()),
  signal: z.optional(z.unknown()),
  syntax: z.optional(z.unknown()),
  generation: z.optional(z.unknown()),
  history: z.optional(z.unknown()),
  trustsIds: z.optional(z.unknown()),
} satisfies { readonly [Key in keyof Required<AgentOptions>]: z.FieldSchemas[string] })
