import { check } from '@rolecall/core/internal/errors'
import type { Model } from '@rolecall/core/internal/model'
import * as z from '@rolecall/core/internal/schema'
import { type InferenceEngine, inferenceEngine } from '../language-model/inference-engine.ts'
import { fetchClient } from './http/fetch-client.ts'
import { openOpenAI } from './open-openai.ts'

/** Where a server is, and how it is reached. */
export type OpenServerOptions = {
  /** The address of an OpenAI-compatible server: `http://127.0.0.1:8000/v1`. */
  baseURL: string
  /** The model's name on the server; by default the name of the model. */
  name?: string
  /** Sent as a bearer token. */
  apiKey?: string
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** What sends requests; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch
  /** Other fields of every request, by the server's names. */
  extraBody?: Readonly<Record<string, unknown>>
  /** How prompts are sent: as token ids (the default if the model has a tokenizer), or as text. */
  send?: 'ids' | 'text'
}

const serverOptionsSchema = z.strictObject({
  baseURL: z.string(),
  name: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  fetch: z.optional(z.custom<typeof globalThis.fetch>((value) => typeof value === 'function', 'expected a function')),
  extraBody: z.optional(z.record(z.string(), z.unknown())),
  send: z.optional(z.enum(['ids', 'text'])),
} satisfies { readonly [Key in keyof Required<OpenServerOptions>]: z.FieldSchemas[string] })

/**
 * Opens a model on an OpenAI-compatible server: prompts go to its completions endpoint exactly as rendered (those of formats for chat
 * servers to its chat endpoint). Nothing is sent yet. Keys come only from `apiKey` and `headers`, never from the environment.
 *
 * @example
 * const body = 'data: {"choices": [{"text": "Hel"}]}\n\ndata: {"choices": [{"text": "lo", "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
 * const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
 * const model = defineModel('chatml')
 * const server = openServer(model, { baseURL: 'http://127.0.0.1:8000/v1', fetch })
 * const chunks: string[] = []
 * for await (const chunk of server.stream(renderPrompt(model, [{ role: 'user', content: 'Hi' }]))) chunks.push(chunk)
 * chunks.join('') // => 'Hello'
 */
export function openServer(model: Model, options: OpenServerOptions): InferenceEngine {
  check(serverOptionsSchema, options, 'openServer › options › ')
  const { baseURL, name = model.name, apiKey, headers, fetch, extraBody, send } = options
  const config = { path: name, base_url: baseURL, headers, extra_body: extraBody, send }
  const environment = apiKey === undefined ? {} : { OPENAI_API_KEY: apiKey }
  const { format, tokenizer } = model
  return inferenceEngine(model, openOpenAI(config as never, { client: fetchClient(fetch), environment, format, tokenizer }))
}
