import { check } from '@rolecall/core/internal/errors'
import type { Model, ModelPrompt } from '@rolecall/core/internal/model'
import * as z from '@rolecall/core/internal/schema'
import { eventQueue } from '@rolecall/core/internal/text'
import type { GenerateOptions, LanguageModel, ModelReply } from './language-model.ts'

/** How a reply is generated. */
export type StreamOptions = {
  /** Maximum number of generated tokens; 1,024 by default. */
  maxTokens?: number
  /** How tokens are sampled: `{ temperature: 0.7, topP: 0.9 }`; by default as the engine does. */
  sampling?: GenerateOptions['sampling']
  /** Texts that end the reply, in addition to the stops of the prompt. */
  stopTexts?: readonly string[]
  /** Ends the request. */
  signal?: AbortSignal
}

/** What runs a model and is sent exact prompts: a server (`openServer`), or a model in this process (`openLocalModel`). */
export type InferenceEngine = LanguageModel & {
  /** How the model's prompts are written and its replies read: for `renderPrompt` and `parseStream`. */
  readonly model: Model
  /** The reply in chunks as they come, for `parseStream`; the result of the generator is the whole reply. */
  stream(prompt: ModelPrompt, options?: StreamOptions): AsyncGenerator<string, ModelReply, undefined>
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

const streamOptionsSchema = z.strictObject({
  maxTokens: z.optional(z.int()),
  sampling: z.optional(z.custom<StreamOptions['sampling']>(isObject, 'expected an object')),
  stopTexts: z.optional(z.array(z.string())),
  signal: z.optional(z.custom<AbortSignal>(isObject, 'expected an AbortSignal')),
} satisfies { readonly [Key in keyof Required<StreamOptions>]: z.FieldSchemas[string] })

/** A language model with the model whose prompts it takes. */
export function inferenceEngine(model: Model, engine: LanguageModel): InferenceEngine {
  return {
    ...engine,
    model,
    stream(prompt, streaming = {}) {
      check(streamOptionsSchema, streaming, 'stream › options › ')
      const { maxTokens = 1024, signal, ...more } = streaming
      return eventQueue<string, ModelReply>((emit, left) =>
        engine.generate(prompt.rendered, {
          maxTokens,
          ...more,
          signal: signal ? AbortSignal.any([signal, left]) : left,
          onText: (text) => void emit(text),
        }),
      )
    },
  }
}
