import { ApiError } from './api-error.ts'

export type BodyLimits = {
  /** Maximum size of a request body. */
  bodyBytes: number
  /** Maximum total size of all bodies being read. */
  bodiesBytes: number
  /** Maximum number of objects, lists and strings in a body, which may have ten times as many numbers: each takes time in the thread that serves all clients. */
  bodyValues: number
  /** How long a body may take to arrive, in seconds. */
  bodySeconds: number
}

type PendingBody = { bytes: number; drop: (error: ApiError) => void }

/**
 * Reads request bodies. Slow uploads do not block other clients: they take no slot among the running requests, time out, and if all pending
 * bodies together grow too large, the largest is dropped.
 */
export class BodyReader {
  readonly #limits: BodyLimits
  readonly #pending = new Set<PendingBody>()
  #bytes = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** Number of bodies being read. */
  get reading(): number {
    return this.#pending.size
  }

  async read(request: Request): Promise<string> {
    const { bodyBytes, bodySeconds } = this.#limits
    if (Number(request.headers.get('content-length') ?? 0) > bodyBytes) throw tooLarge(bodyBytes)
    if (!request.body) return ''
    const reader = request.body.getReader()
    const pending: PendingBody = { bytes: 0, drop: () => undefined }
    const dropped = new Promise<never>((_, reject) => {
      pending.drop = reject
    })
    dropped.catch(() => undefined)
    const timer = setTimeout(() => pending.drop(tooSlow(bodySeconds)), 1000 * bodySeconds)
    this.#pending.add(pending)
    const chunks: Uint8Array[] = []
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), dropped])
        if (done) return this.#checked(Buffer.concat(chunks).toString('utf8'))
        this.#grow(pending, value.length)
        if (pending.bytes > bodyBytes) throw tooLarge(bodyBytes)
        chunks.push(value)
      }
    } catch (error) {
      reader.cancel().catch(() => undefined)
      throw error
    } finally {
      clearTimeout(timer)
      this.#pending.delete(pending)
      this.#bytes -= pending.bytes
    }
  }

  #checked(body: string): string {
    const { bodyValues } = this.#limits
    if (hasMoreValues(body, bodyValues)) throw tooComplex(bodyValues)
    return body
  }

  #grow(pending: PendingBody, bytes: number): void {
    pending.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes <= this.#limits.bodiesBytes) return
    let largest = pending
    for (const one of this.#pending) if (one.bytes > largest.bytes) largest = one
    largest.drop(tooManyBytes())
  }
}

/**
 * Whether a JSON text has more objects, lists and strings than a limit, or more than ten times as many values of any kind, as far as commas
 * separate them. Linear, and much faster than parsing it.
 */
export function hasMoreValues(json: string, most: number): boolean {
  // Short texts cannot have that many.
  if (json.length < most) return false
  let count = 0
  let commas = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === comma && ++commas > most * 10) return true
    if (code !== quote && code !== openBracket && code !== openBrace) continue
    if (++count > most) return true
    if (code !== quote) continue
    do at = json.indexOf('"', at + 1)
    while (at >= 0 && isEscapedAt(json, at))
    if (at < 0) return false
  }
  return false
}

const [quote, comma, openBracket, openBrace, backslash] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c]

function isEscapedAt(json: string, at: number): boolean {
  let slashes = 0
  while (json.charCodeAt(at - 1 - slashes) === backslash) slashes++
  return slashes % 2 === 1
}

function tooComplex(most: number): ApiError {
  const message = `the request has more than ${most} objects, lists and strings, or ${most * 10} numbers; send less at once`
  return new ApiError(413, { message, code: 'request_too_complex' })
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(413, { message: `the request body exceeds ${maxBytes} bytes`, code: 'request_too_large' })
}

function tooSlow(seconds: number): ApiError {
  const headers = { connection: 'close' }
  return new ApiError(408, { message: `the request body did not arrive within ${seconds} s`, code: 'request_timeout', headers })
}

function tooManyBytes(): ApiError {
  const headers = { 'retry-after': '5', connection: 'close' }
  return new ApiError(429, { message: 'too many large requests at once; try again in 5 s', code: 'server_busy', headers })
}
