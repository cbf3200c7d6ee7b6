import { createRequire } from 'node:module'
import { type ChecksOf, checkOptionsOf, isNumber, isObject, PromptError } from '@rolecall/core/internal/errors'
import type { Dispatcher, EnvHttpProxyAgent, errors, Pool } from 'undici'
import { tooSilent } from '../../model/openai/http/fetch-client.ts'
import { type HttpClient, HttpFailure } from '../../model/openai/http/http-client.ts'
import { afterPoll } from './after-poll.ts'
import { HttpExchange } from './http-exchange.ts'
import { isLoopback, isProxyStatus, type NamedProxy, proxyFailure, proxyOf, refusedByProxy } from './proxy.ts'

// Loaded with the first request, and in parts: all of undici, with its fetch, WebSocket and cache, takes 80 ms more.
const load = createRequire(import.meta.url)
const undici = {
  get Pool() {
    return load('undici/lib/dispatcher/pool.js') as typeof Pool
  },
  get errors() {
    return load('undici/lib/core/errors.js') as typeof errors
  },
  get EnvHttpProxyAgent() {
    return (load('undici') as { EnvHttpProxyAgent: typeof EnvHttpProxyAgent }).EnvHttpProxyAgent
  },
}

/** Options for sending requests from Node. */
export type NodeClientOptions = {
  /** Maximum connections per server. */
  connections?: number
  /** Holds HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Sends requests over persistent connections, at a quarter of the CPU time of Node's `fetch`. Proxies come from the
 * environment; loopback addresses are always reached directly.
 */
export function nodeClient(options: NodeClientOptions = {}): {
  client: HttpClient
  close: () => Promise<void>
} {
  checkOptionsOf(options, { connections: isNumber, environment: isObject } satisfies ChecksOf<NodeClientOptions>, 'nodeClient › options')
  const { connections = 16, environment = process.env } = options
  const dispatchers = new Map<string, Dispatcher>()
  /** Parsed addresses: parsing a URL takes as long as reading a reply, and a model has few. */
  const targets = new Map<string, Target>()
  const pending = new PendingExchanges()
  const dispatcherOf = (url: URL): Dispatcher => {
    const known = dispatchers.get(url.origin)
    if (known) return known
    // A pipelined request would wait for the previous reply to end.
    const options = { connections, pipelining: 1 }
    const made = proxyFor(url, environment, options) ?? new undici.Pool(url.origin, options)
    dispatchers.set(url.origin, made)
    return made
  }
  const targetOf = (address: string) => {
    const known = targets.get(address)
    if (known) return known
    const url = new URL(address)
    const proxy = proxyOf(url, environment)
    const target = { dispatcher: dispatcherOf(url), proxy, origin: url.origin, path: url.pathname + url.search, hasAnswered: false }
    targets.set(address, target)
    return target
  }
  return {
    client({ url, method, headers, body, signal, timeout, limit }) {
      return new Promise((onReply, onFailure) => {
        const target = targetOf(url)
        const { dispatcher, origin, path } = target
        signal?.throwIfAborted()
        const exchange: HttpExchange = new HttpExchange({
          onReply(reply) {
            if (target.proxy && isProxyStatus(reply, target.hasAnswered)) {
              reply.discard()
              return onFailure(refusedByProxy(target.proxy, origin, reply.status))
            }
            target.hasAnswered = true
            afterPoll(() => onReply(reply))
          },
          onFailure,
          onEnd: () => signal && pending.remove(signal, exchange),
          limit,
          asFailure: (error, hasBegun) =>
            (target.proxy && proxyFailure(target.proxy, origin, error, target.hasAnswered)) ??
            failureOf(error, timeout, { hasAnswered: target.hasAnswered, hasBegun }),
        })
        if (signal) pending.add(signal, exchange)
        const request = { origin, path, method, headers, body: body ?? null, headersTimeout: timeout ?? null, bodyTimeout: timeout ?? null }
        dispatcher.dispatch(request, exchange)
      })
    },
    close: async () => {
      const open = [...dispatchers.values()]
      dispatchers.clear()
      targets.clear()
      await Promise.all(open.map((dispatcher) => dispatcher.destroy()))
    },
  }
}

type Target = { dispatcher: Dispatcher; proxy: NamedProxy | undefined; origin: string; path: string; hasAnswered: boolean }

/** Requests of one signal, and the listener that aborts them. */
type SignalExchanges = { exchanges: Set<HttpExchange>; abort: () => void }

/**
 * Pending requests by abort signal. A run's requests share one signal, and a listener per request would cost more than a hash. The listener
 * goes with the last request: Node 20 keeps every signal of `AbortSignal.any` that has one, over a kilobyte for each request of a server.
 */
class PendingExchanges {
  readonly #bySignal = new WeakMap<AbortSignal, SignalExchanges>()

  add(signal: AbortSignal, exchange: HttpExchange): void {
    const known = this.#bySignal.get(signal)
    if (known) {
      known.exchanges.add(exchange)
      return
    }
    const exchanges = new Set([exchange])
    const abort = () => {
      for (const one of [...exchanges]) one.abort(signal.reason as Error)
    }
    this.#bySignal.set(signal, { exchanges, abort })
    signal.addEventListener('abort', abort)
  }

  remove(signal: AbortSignal, exchange: HttpExchange): void {
    const known = this.#bySignal.get(signal)
    if (!known?.exchanges.delete(exchange) || known.exchanges.size > 0) return
    signal.removeEventListener('abort', known.abort)
    this.#bySignal.delete(signal)
  }
}

/** Error codes before a connection exists; requests that failed later may have reached the server. */
const unreachable = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_TLS'],
])

/** Error codes that a retry cannot fix: bad certificates, a server without TLS, invalid headers. */
const impossible = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'],
])

/** Error codes for connections closed by the peer. */
const closed = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

function failureOf(error: unknown, timeout: number | undefined, connection: Connection): unknown {
  if (error instanceof undici.errors.HeadersTimeoutError || error instanceof undici.errors.BodyTimeoutError)
    return tooSilent(timeout ?? 300_000)
  // Bytes that are not HTTP; most of these errors have no code.
  if (error instanceof undici.errors.HTTPParserError) return new HttpFailure('broken', error.message)
  if (!(error instanceof Error) || error.name === 'AbortError') return error
  const { code } = innermost(error)
  // A bug, not a network error; or an abort by AbortSignal.timeout, whose code is a number.
  if (typeof code !== 'string') return error
  return new HttpFailure(kindOf(code, connection), messageOf(error))
}

/** What is known of a connection when it fails. */
type Connection = { hasAnswered: boolean; hasBegun: boolean }

/** A server that has answered before does speak TLS: an error of it is that of one connection. */
export function kindOf(code: string, { hasAnswered, hasBegun }: Connection): HttpFailure['kind'] {
  if (unreachable.has(code)) return 'unreachable'
  if (!hasAnswered && (impossible.has(code) || code.startsWith('ERR_SSL_'))) return 'impossible'
  return hasAnswered && !hasBegun && closed.has(code) ? 'stale' : 'broken'
}

/** A host name with several addresses fails with an AggregateError. */
function innermost(error: Error & { code?: unknown }): { code?: unknown } {
  const [first] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? (first as { code?: unknown }) : error
}

function messageOf(error: Error & { code?: string }): string {
  return error.message || error.code || 'the connection failed'
}

function proxyFor(url: URL, environment: NonNullable<NodeClientOptions['environment']>, options: object): Dispatcher | undefined {
  const named = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined
  const [httpProxy, httpsProxy, noProxy] = [named('HTTP_PROXY'), named('HTTPS_PROXY'), named('NO_PROXY')]
  const proxy = url.protocol === 'https:' ? (httpsProxy ?? httpProxy) : httpProxy
  if (proxy === undefined || isLoopback(url.hostname)) return undefined
  try {
    // No tunnel for plain HTTP: many proxies allow CONNECT only for port 443.
    return new undici.EnvHttpProxyAgent({
      ...options,
      httpProxy: httpProxy ?? '',
      httpsProxy: httpsProxy ?? '',
      noProxy: noProxy ?? '',
      proxyTunnel: false,
    })
  } catch {
    // The value is not shown: it may contain a password.
    throw new PromptError('bad-proxy', {
      where: 'the environment › HTTP_PROXY, HTTPS_PROXY',
      problem: `the proxy for ${url.origin} is not a valid address`,
      fix: 'write it as http://host:port, or unset it',
    })
  }
}
