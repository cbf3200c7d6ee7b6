import { timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/** Requests that change something carry this header with the token of `site.json`, which other pages cannot read. */
export const tokenHeader = 'x-rolecall-token'

/**
 * Allows the page to run its files and the embedded model's WebAssembly and to contact its server, nothing else. The page contains the same
 * policy for exported sites.
 */
const policyWith = (connect: string) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' data:",
    `connect-src ${connect}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const contentSecurityPolicy = policyWith("'self'")

/** The lab asks the hub and the reader's own server, when told to. Only where the origin has no rows or replies that could leave. */
const labPolicy = policyWith("'self' https: http://127.0.0.1:* http://localhost:*")

/**
 * Rejects requests of other web pages, including DNS rebinding: rows and replies are private. Changes are POST requests with JSON, the page's
 * origin and its token; without a token, the server is read-only.
 */
export function ownPageOnly(token: string | undefined, { isLab = false } = {}): MiddlewareHandler {
  return async (context, next) => {
    const refused = refuseForeign(context) ?? (isReading(context) ? undefined : refuseChange(context, token))
    if (refused) return refused
    await next()
    const { headers } = context.res
    headers.set('content-security-policy', isLab ? labPolicy : contentSecurityPolicy)
    headers.set('x-content-type-options', 'nosniff')
    headers.set('referrer-policy', 'no-referrer')
    headers.set('cross-origin-resource-policy', 'same-origin')
    headers.set('cross-origin-opener-policy', 'same-origin')
    return undefined
  }
}

/** Refuses large requests, however their length is declared. */
export function limitBody(): MiddlewareHandler {
  return bodyLimit({ maxSize: 256 << 10, onError: (context) => context.text('The request is too large.', 413) })
}

function isReading({ req }: Context): boolean {
  return req.method === 'GET' || req.method === 'HEAD'
}

function refuseForeign(context: Context): Response | undefined {
  const { host, origin, 'sec-fetch-site': site } = Object.fromEntries(context.req.raw.headers)
  if (!host || !isLoopback(host)) return context.text('This server answers only to 127.0.0.1 and localhost.', 403)
  const isForeign = origin !== undefined ? origin !== `http://${host}` : site !== undefined && site !== 'same-origin' && site !== 'none'
  return isForeign ? context.text('This server answers only its own page.', 403) : undefined
}

function refuseChange(context: Context, token: string | undefined): Response | undefined {
  if (token === undefined || context.req.method !== 'POST') return context.text('This server is read-only.', 405)
  // Browsers send the origin with every POST.
  if (context.req.header('origin') === undefined || !isSameSecret(context.req.header(tokenHeader) ?? '', token))
    return context.text('This server is changed only by its own page: reload it.', 403)
  const isJson = /^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? '')
  return isJson ? undefined : context.text('Expected application/json.', 415)
}

/** Compares in a time that does not depend on where the texts differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

function isLoopback(host: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)
}
