import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'

const encoders = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 4 }),
} as const

/** Smaller responses fit into one packet. */
const minBytes = 1400

/** Compresses text responses, for viewing through a tunnel. Immutable assets are compressed once. */
export function compress(): MiddlewareHandler {
  const cache = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Headers }>()
  return async (context, next) => {
    const { req: request } = context
    const encoding = encodingFor(request.header('accept-encoding') ?? '')
    const key = `${encoding} ${request.path}`
    const known = request.method === 'GET' ? cache.get(key) : undefined
    if (known) {
      context.res = new Response(known.body, { headers: known.headers })
      return
    }
    await next()
    const { res: answer } = context
    const type = answer.headers.get('content-type') ?? ''
    if (request.method !== 'GET' || !answer.body || !/^(text\/|application\/json|image\/svg)/.test(type)) return
    answer.headers.append('vary', 'accept-encoding')
    const length = Number(answer.headers.get('content-length') ?? minBytes)
    // Downloads may be large, and are streamed.
    if (encoding === undefined || answer.headers.has('content-disposition') || length < minBytes || answer.headers.has('content-encoding'))
      return
    const body = new Uint8Array(await encoders[encoding](new Uint8Array(await answer.arrayBuffer())))
    const headers = new Headers(answer.headers)
    headers.set('content-encoding', encoding)
    headers.set('content-length', String(body.length))
    if (answer.status === 200 && headers.get('cache-control')?.includes('immutable')) cache.set(key, { body, headers })
    // Otherwise Hono copies the headers of the old response, including its length, to the new one.
    context.res = undefined
    context.res = new Response(body, { status: answer.status, headers })
  }
}

/** The best accepted encoding; `q=0` means not accepted. */
function encodingFor(accepted: string): keyof typeof encoders | undefined {
  const names = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => one.trim().split(';'))
      .filter(([, quality = '']) => !/^\s*q=0(\.0*)?\s*$/.test(quality))
      .map(([name = '']) => name.trim()),
  )
  return (['br', 'gzip'] as const).find((name) => names.has(name))
}
