import type { ReplyLimit } from './reply-limit.ts'

/** A request to a server. */
export type HttpRequest = {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array<ArrayBuffer>
  /** Ends the request and closes its connection. */
  signal?: AbortSignal | undefined
  /** How long the server may be silent, in milliseconds. */
  timeout?: number
  /** The maximum size and time of the reply. */
  limit?: ReplyLimit | undefined
}

/** The response: the status first, the body as a whole or streamed; the caller must read one of the two or call `discard`. */
export type HttpReply = {
  status: number
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  text(): Promise<string>
  chunks(): AsyncIterable<Uint8Array>
  /** Closes the connection without reading the rest. */
  discard(): void
}

/** Sends requests: undici in Node, `fetch` in a browser. Throws an `HttpFailure`. */
export type HttpClient = (request: HttpRequest) => Promise<HttpReply>

/**
 * A request without a response. `unreachable`: no connection; `timeout`: the server was silent for too long; `impossible`: no request to
 * this address can succeed (TLS, a bad header); `broken`: the connection ended too early; `endless`: the reply exceeded its limit; `stale`:
 * a reused connection closed before any response.
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

/** An unreadable response: truncated, or not JSON. The request is retried. */
export class BadReply extends Error {
  override readonly name = 'BadReply'
}
