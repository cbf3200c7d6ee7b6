import { createRequire } from 'node:module'
import type { Dispatcher, EnvHttpProxyAgent, errors, Pool } from 'undici'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { tooSilent } from '../../../model/openai/http/fetch-client.ts'
import { type HttpClient, HttpFailure } from '../../../model/openai/http/http-client.ts'
import { HttpExchange } from './http-exchange.ts'
import { isLoopback, isProxyStatus, type NamedProxy, proxyFailure, proxyOf, refusedByProxy } from './proxy.ts'

// Loaded when the first server is asked, and by parts: as a whole undici takes 80 ms more, as it has a browser's fetch, WebSocket
// and cache in it.
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

/** How requests are sent from Node: connections, proxies, certificates. */
export type NodeClientOptions = {
  /** The most connections to one server. */
  connections?: number
  /** Where proxies are named: HTTP_PROXY, HTTPS_PROXY, NO_PROXY, in capitals or not. */
  environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Sends requests over connections that stay open, at a quarter of the processor time of Node's own `fetch`. Proxies come from
 * the environment; this machine itself is always reached directly.
 */
export function nodeClient({ connections = 16, environment = process.env }: NodeClientOptions = {}): {
  client: HttpClient
  close: () => Promise<void>
} {
  const dispatchers = new Map<string, Dispatcher>()
  /** A model has a handful of addresses; reading one takes as long as reading a reply. */
  const targets = new Map<string, Target>()
  const underWay = new UnderWay()
  const dispatcherOf = (url: URL): Dispatcher => {
    const known = dispatchers.get(url.origin)
    if (known) return known
    // A second request on a connection would wait for the first one's whole answer.
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
            onReply(reply)
          },
          onFailure,
          onEnd: () => signal && underWay.remove(signal, exchange),
          limit,
          asFailure: (error, hasBegun) =>
            (target.proxy && proxyFailure(target.proxy, origin, error, target.hasAnswered)) ??
            failureOf(error, timeout, target.hasAnswered && !hasBegun),
        })
        if (signal) underWay.add(signal, exchange)
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

/** Requests that a signal ends: all those of a run have the same one, and listening to it for each would cost more than a hash. */
class UnderWay {
  readonly #bySignal = new WeakMap<AbortSignal, Set<HttpExchange>>()

  add(signal: AbortSignal, exchange: HttpExchange): void {
    const known = this.#bySignal.get(signal)
    if (known) {
      known.add(exchange)
      return
    }
    const exchanges = new Set([exchange])
    this.#bySignal.set(signal, exchanges)
    signal.addEventListener('abort', () => {
      for (const one of [...exchanges]) one.abort(signal.reason as Error)
    })
  }

  remove(signal: AbortSignal, exchange: HttpExchange): void {
    this.#bySignal.get(signal)?.delete(exchange)
  }
}

/** Codes of errors before a connection was there; whatever came after may have reached the server. */
const unreachable = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_TLS'],
])

/** Codes of errors that come again whenever it is tried: the certificate, a server without TLS, a header that is none. */
const impossible = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'],
])

/** Codes of connections that the other side has closed. */
const closed = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

function failureOf(error: unknown, timeout: number | undefined, mayBeStale: boolean): unknown {
  if (error instanceof undici.errors.HeadersTimeoutError || error instanceof undici.errors.BodyTimeoutError)
    return tooSilent(timeout ?? 300_000)
  if (!(error instanceof Error) || error.name === 'AbortError') return error
  const { code } = innermost(error)
  // A mistake of the program, not of the network.
  if (code === undefined) return error
  return new HttpFailure(kindOf(code, mayBeStale), messageOf(error))
}

function kindOf(code: string, mayBeStale: boolean): HttpFailure['kind'] {
  if (unreachable.has(code)) return 'unreachable'
  if (impossible.has(code) || code.startsWith('ERR_SSL_')) return 'impossible'
  return mayBeStale && closed.has(code) ? 'stale' : 'broken'
}

/** A name with several addresses fails with all of their errors. */
function innermost(error: Error & { code?: string }): { code?: string } {
  const [first] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? (first as { code?: string }) : error
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
    // Without a tunnel for plain HTTP: many proxies allow CONNECT for port 443 alone.
    return new undici.EnvHttpProxyAgent({
      ...options,
      httpProxy: httpProxy ?? '',
      httpsProxy: httpsProxy ?? '',
      noProxy: noProxy ?? '',
      proxyTunnel: false,
    })
  } catch {
    // Nothing of it is shown: it may have a password in it.
    throw new PromptError('bad-proxy', {
      where: 'the environment › HTTP_PROXY, HTTPS_PROXY',
      problem: `what is to lead to ${url.origin} is not an address of a proxy`,
      fix: 'write it as http://host:port, or unset it',
    })
  }
}
