import { ApiError } from './api-error.ts'

export type BodyLimits = {
  /** The largest body of a request. */
  bodyBytes: number
  /** The most that bodies may hold together while they are read. */
  bodiesBytes: number
  /** How long a body may take to arrive, in seconds. */
  bodySeconds: number
}

type Reading = { bytes: number; drop: (error: ApiError) => void }

/**
 * Reads the bodies of requests. However slowly they come, they keep nobody out: they hold no place among the requests that are
 * worked on, have a time to be complete, and where all of them together hold too much, the largest is dropped.
 */
export class Bodies {
  readonly #limits: BodyLimits
  readonly #readings = new Set<Reading>()
  #bytes = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** How many are being read. */
  get reading(): number {
    return this.#readings.size
  }

  /** A request's body as text, however it is sent. */
  async read(request: Request): Promise<string> {
    const { bodyBytes, bodySeconds } = this.#limits
    if (Number(request.headers.get('content-length') ?? 0) > bodyBytes) throw tooLarge(bodyBytes)
    if (!request.body) return ''
    const reader = request.body.getReader()
    const reading: Reading = { bytes: 0, drop: () => undefined }
    const dropped = new Promise<never>((_, reject) => {
      reading.drop = reject
    })
    dropped.catch(() => undefined)
    const timer = setTimeout(() => reading.drop(tooSlow(bodySeconds)), 1000 * bodySeconds)
    this.#readings.add(reading)
    const chunks: Uint8Array[] = []
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), dropped])
        if (done) return Buffer.concat(chunks).toString('utf8')
        this.#grow(reading, value.length)
        if (reading.bytes > bodyBytes) throw tooLarge(bodyBytes)
        chunks.push(value)
      }
    } catch (error) {
      reader.cancel().catch(() => undefined)
      throw error
    } finally {
      clearTimeout(timer)
      this.#readings.delete(reading)
      this.#bytes -= reading.bytes
    }
  }

  #grow(reading: Reading, bytes: number): void {
    reading.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes <= this.#limits.bodiesBytes) return
    let largest = reading
    for (const one of this.#readings) if (one.bytes > largest.bytes) largest = one
    largest.drop(tooMuch())
  }
}

function tooLarge(mostBytes: number): ApiError {
  return new ApiError(413, { message: `the request is larger than ${mostBytes} bytes`, code: 'request_too_large' })
}

function tooSlow(seconds: number): ApiError {
  const headers = { connection: 'close' }
  return new ApiError(408, { message: `the request was not complete after ${seconds} s`, code: 'request_timeout', headers })
}

function tooMuch(): ApiError {
  const headers = { 'retry-after': '5', connection: 'close' }
  return new ApiError(429, { message: 'too many large requests come in at once; try again in 5 s', code: 'server_busy', headers })
}
