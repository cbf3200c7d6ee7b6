/** What a model waits for, e.g. a server's rate limit or the next try of a request; progress shows it. */
export type Wait = {
  /** For people: `rate limit`, `retry 2 of 6 (it answered 429)`. */
  reason: string
  milliseconds: number
  /** For programs; `server`: nobody answers at the server's address. */
  for: 'rate-limit' | 'retry' | 'server'
}
