import type { ReplyLimit } from './reply-limit.ts'

/** A request to a server. */
export type HttpRequest = {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
  /** Ends the request and closes its connection. */
  signal?: AbortSignal | undefined
  /** The most milliseconds that the server may say nothing. */
  timeout?: number
  /** The most that the reply may have, and take, in all. */
  limit?: ReplyLimit | undefined
}

/** What came back: the status at once, the body as a whole or as it arrives; one of the two must be read, or `discard` called. */
export type HttpReply = {
  status: number
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  text(): Promise<string>
  chunks(): AsyncIterable<Uint8Array>
  /** The rest is not wanted: the connection is closed. */
  discard(): void
}

/** Sends requests: undici in Node, `fetch` in a browser. It fails with an `HttpFailure`. */
export type HttpClient = (request: HttpRequest) => Promise<HttpReply>

/**
 * A request without an answer. `unreachable`: no connection could be made; `timeout`: the server said nothing for too long;
 * `impossible`: none can be made at this address, whenever it is tried (TLS, a bad header); `broken`: the connection ended too
 * early; `endless`: the reply went beyond its limit; `stale`: one to a server that had answered before ended before it said anything.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'

  constructor(
    readonly kind: 'unreachable' | 'impossible' | 'timeout' | 'broken' | 'endless' | 'stale',
    message: string,
  ) {
    super(message)
  }
}

/** An answer that cannot be read: cut, or no JSON. The request is sent again. */
export class BadReply extends Error {
  override readonly name = 'BadReply'
}
