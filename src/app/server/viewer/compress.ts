import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'

const makers = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 4 }),
} as const

/** Shorter answers fit into one packet anyway. */
const worthIt = 1400

/**
 * Answers text compressed, for pages that are looked at through a tunnel. The viewer's own files, whose names change with their content,
 * are compressed once.
 */
export function compressed(): MiddlewareHandler {
  const kept = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Headers }>()
  return async (context, next) => {
    const { req: request } = context
    const encoding = encodingFor(request.header('accept-encoding') ?? '')
    const key = `${encoding} ${request.path}`
    const known = request.method === 'GET' ? kept.get(key) : undefined
    if (known) {
      context.res = new Response(known.body, { headers: known.headers })
      return
    }
    await next()
    const { res: answer } = context
    const type = answer.headers.get('content-type') ?? ''
    if (request.method !== 'GET' || !answer.body || !/^(text\/|application\/json|image\/svg)/.test(type)) return
    answer.headers.append('vary', 'accept-encoding')
    const length = Number(answer.headers.get('content-length') ?? worthIt)
    if (encoding === undefined || length < worthIt || answer.headers.has('content-encoding')) return
    const body = new Uint8Array(await makers[encoding](new Uint8Array(await answer.arrayBuffer())))
    const headers = new Headers(answer.headers)
    headers.set('content-encoding', encoding)
    headers.set('content-length', String(body.length))
    if (answer.status === 200 && headers.get('cache-control')?.includes('immutable')) kept.set(key, { body, headers })
    // Hono would put the headers of the former answer, its length among them, over those of the new one.
    context.res = undefined
    context.res = new Response(body, { status: answer.status, headers })
  }
}

/** What the asker takes of what there is, the smaller first; `q=0` is a refusal. */
function encodingFor(accepted: string): keyof typeof makers | undefined {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => one.trim().split(';'))
      .filter(([, quality = '']) => !/^\s*q=0(\.0*)?\s*$/.test(quality))
      .map(([name = '']) => name.trim()),
  )
  return (['br', 'gzip'] as const).find((name) => taken.has(name))
}
