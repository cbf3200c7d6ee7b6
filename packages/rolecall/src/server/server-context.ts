import type { ModelReply } from '../model/language-model/language-model.ts'
import type { BodyLimits } from './body-reader.ts'
import type { ClientLimits } from './client-limiter.ts'
import type { PromptThread } from './prompts/prompt-thread.ts'
import type { ClientResponses } from './responses/response-memory.ts'
import type { ServedModel } from './served-model.ts'

/** Limits of a server. */
export type ServerLimits = BodyLimits & {
  /** Maximum number of running requests; others wait. */
  concurrent: number
  /** Maximum number of waiting requests; others are rejected (429). */
  waiting: number
  /** Time limit of compiling a schema or a pattern, and of each step in following it, in seconds. */
  constraintSeconds: number
  /** Time limit of a reply, in seconds. */
  seconds: number
  /** Maximum number of replies per request: its prompts times `n`. */
  choices: number
  /** Maximum `n`: a short request can ask for many replies. */
  repliesPerPrompt: number
  /** Maximum number and total size of the responses kept for `previous_response_id`. */
  keptResponses: number
  keptBytes: number
  /** Same as `client.requestsPerMinute`. */
  requestsPerMinute?: number | undefined
  /** Limits of each client, identified by its key or address, unless its key has others. */
  client: ClientLimits
}

export const defaultServerLimits: ServerLimits = {
  bodyBytes: 8 * 1024 * 1024,
  bodiesBytes: 128 * 1024 * 1024,
  bodyValues: 20_000,
  bodySeconds: 30,
  concurrent: 64,
  waiting: 192,
  constraintSeconds: 2,
  seconds: 600,
  choices: 2048,
  // OpenAI's.
  repliesPerPrompt: 128,
  keptResponses: 1000,
  keptBytes: 64 * 1024 * 1024,
  client: {},
}

/** Notified about the replies of a request, for metrics. */
export type ReplyObserver = {
  /** The first token of a reply. */
  first(model: string, milliseconds: number): void
  /** A complete reply; a prompt with several replies is counted with the first. */
  reply(model: string, tokens: ModelReply['tokens']): void
}

/** Shared by all routes. */
export type ServerContext = {
  models: readonly ServedModel[]
  /** Builds what would block the event loop. */
  prompts?: PromptThread | undefined
  limits: ServerLimits
  /** The client of the request: its key's name, or its address. Clients take turns. */
  client: string
  /** The client's earlier responses from `/v1/responses`. */
  responses: ClientResponses
  observer: ReplyObserver
  /** For requests without a seed. */
  randomSeed: () => number
  /** Milliseconds since 1970. */
  now: () => number
  log: (text: string) => void
  /** Logs an error unless it is the client's fault. */
  failed: (error: unknown) => void
}

/** A random id such as `cmpl-…`, `chatcmpl-…` or `call_…`. */
export function newId(kind: string, separator = '-'): string {
  return `${kind}${separator}${crypto.randomUUID().replaceAll('-', '')}`
}
