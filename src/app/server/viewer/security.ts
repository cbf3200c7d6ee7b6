import type { MiddlewareHandler } from 'hono'

/**
 * Allows the page to run its files and the embedded model's WebAssembly and to contact its server, nothing else. The page contains the same
 * policy for exported sites.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Rejects requests of other web pages, including DNS rebinding: rows and replies are private. */
export function ownPageOnly(): MiddlewareHandler {
  return async (context, next) => {
    const { host, origin, 'sec-fetch-site': site } = Object.fromEntries(context.req.raw.headers)
    if (!host || !isLoopback(host)) return context.text('This server answers only to 127.0.0.1 and localhost.', 403)
    const isForeign = origin !== undefined ? origin !== `http://${host}` : site !== undefined && site !== 'same-origin' && site !== 'none'
    if (isForeign) return context.text('This server answers only its own page.', 403)
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') return context.text('This server is read-only.', 405)
    await next()
    const { headers } = context.res
    headers.set('content-security-policy', `${contentSecurityPolicy}; frame-ancestors 'none'`)
    headers.set('x-content-type-options', 'nosniff')
    headers.set('referrer-policy', 'no-referrer')
    headers.set('cross-origin-resource-policy', 'same-origin')
    headers.set('cross-origin-opener-policy', 'same-origin')
  }
}

function isLoopback(host: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)
}
