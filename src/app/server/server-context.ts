import type { Reply } from '../../model/language-model/language-model.ts'
import type { BodyLimits } from './body-reader.ts'
import type { ClientLimits } from './client-limiter.ts'
import type { ClientResponses } from './responses/response-memory.ts'
import type { ServedModel } from './served-model.ts'

/** What a server allows; whoever wants more is told so. */
export type Limits = BodyLimits & {
  /** How many requests are worked on at once; the others wait. */
  concurrent: number
  /** How many may wait; to more the server says that it is busy (429). */
  waiting: number
  /** How long one reply may take to be written, in seconds. */
  seconds: number
  /** The most replies of one request: its prompts times `n`. */
  choices: number
  /** How many responses are kept for `previous_response_id`, and how much they may hold together. */
  keptResponses: number
  keptBytes: number
  /** The same as `client.requestsPerMinute`. */
  requestsPerMinute?: number | undefined
  /** What each client may do that has no limits of its own, by its key or else by its address. */
  client: ClientLimits
}

export const defaultLimits: Limits = {
  bodyBytes: 8 * 1024 * 1024,
  bodiesBytes: 128 * 1024 * 1024,
  bodySeconds: 30,
  concurrent: 64,
  waiting: 192,
  seconds: 600,
  choices: 2048,
  keptResponses: 1000,
  keptBytes: 64 * 1024 * 1024,
  client: {},
}

/** What is counted of a request's replies. */
export type Watch = {
  /** The first words of a reply, after so many milliseconds. */
  first(model: string, milliseconds: number): void
  /** A reply is whole; `isFirst`: its prompt was not counted for another reply of the request. */
  reply(model: string, tokens: Reply['tokens'], isFirst: boolean): void
}

/** What every route needs. */
export type Serving = {
  models: readonly ServedModel[]
  limits: Limits
  /** What `/v1/responses` answered the client before. */
  responses: ClientResponses
  /** Told what the request at hand comes to. */
  watch: Watch
  /** For replies whose request gives no seed. */
  randomSeed: () => number
  /** Milliseconds since 1970. */
  now: () => number
  /** What those who run the server should know: failures that are not the client's. */
  log: (text: string) => void
  /** Logs an error if it is one of those. */
  failed: (error: unknown) => void
}

/** An id as clients know them: `cmpl-…`, `chatcmpl-…`, `call_…`. */
export function newId(kind: string, separator = '-'): string {
  return `${kind}${separator}${crypto.randomUUID().replaceAll('-', '')}`
}
