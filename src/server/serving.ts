import type { BodyLimits } from './bodies.ts'
import type { ResponseMemory } from './responses/response-memory.ts'
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
  /** How many requests a minute one client may send, by its address; any number where this is left out. */
  requestsPerMinute?: number | undefined
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
}

/** What every route needs. */
export type Serving = {
  models: readonly ServedModel[]
  limits: Limits
  /** What was answered by `/v1/responses`. */
  responses: ResponseMemory
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
