import type { MiddlewareHandler } from 'hono'

/**
 * What the page may do: run its own files and the embedded model's WebAssembly, talk to its own server, and nothing else.
 * The page carries the same policy for exported sites, which have no server of ours.
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

/**
 * Lets in only the page itself. Rows and replies are the user's own: a page of the web must not read them through the
 * browser, neither by asking this port nor by a name of its own that points to 127.0.0.1.
 */
export function onlyOwnPage(): MiddlewareHandler {
  return async (context, next) => {
    const { host, origin, 'sec-fetch-site': site } = Object.fromEntries(context.req.raw.headers)
    if (!host || !isLoopback(host)) return context.text('This server answers only to 127.0.0.1 and localhost.', 403)
    const isForeign = origin !== undefined ? origin !== `http://${host}` : site !== undefined && site !== 'same-origin' && site !== 'none'
    if (isForeign) return context.text('This server answers only its own page.', 403)
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') return context.text('There is only reading here.', 405)
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
