export type BodyLimits = {
  /** Maximum size of a request body. */
  bodyBytes: number
  /** Maximum total size of all bodies being read. */
  bodiesBytes: number
  /**
   * Maximum number of objects, lists, strings, decimals and booleans in a body, which may have ten times as many integers, and a hundred times as many
   * escapes and characters outside strings: each takes time in the thread that serves all clients.
   */
  bodyValues: number
  /** How long a body may take to arrive, in seconds. */
  bodySeconds: number
}

/** Limits of one client: one key, or one address if there are no keys. */
export type ClientLimits = {
  requestsPerMinute?: number | undefined
  /** Prompt and reply tokens together. */
  tokensPerMinute?: number | undefined
  /** Maximum number of concurrent requests. */
  concurrent?: number | undefined
}

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
