import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from './api-error.ts'
import type { ServerLayer } from './request-env.ts'
import type { BodyLimits } from './server-limits.ts'
import { ValueCounter } from './value-counter.ts'

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

  readonly layer: ServerLayer = async (context, next) => {
    context.set('body', await this.#read(context.req.raw))
    await nextTurn()
    await next()
  }

  async #read(request: Request): Promise<string> {
    const { bodyBytes, bodySeconds, bodyValues } = this.#limits
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
    // While the body arrives, since decoding and counting millions of characters takes as long as reading them.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
    const counter = new ValueCounter(bodyValues)
    let body = ''
    const add = (bytes?: Uint8Array) => {
      const text = decoded(decoder, bytes)
      counter.add(text)
      // The rest is read, and dropped: a client that is still sending would not get the answer.
      body = counter.isTooMuch ? '' : body + text
    }
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), dropped])
        if (done) {
          if (!counter.isTooMuch) add()
          if (counter.isTooMuch) throw tooComplex(bodyValues)
          return body
        }
        this.#grow(pending, value.length)
        if (pending.bytes > bodyBytes) throw tooLarge(bodyBytes)
        if (!counter.isTooMuch) add(value)
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

  #grow(pending: PendingBody, bytes: number): void {
    pending.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes <= this.#limits.bodiesBytes) return
    let largest = pending
    for (const one of this.#pending) if (one.bytes > largest.bytes) largest = one
    largest.drop(tooManyBytes())
  }
}

/** Without bytes: the end. What is not UTF-8 would come back as other characters than the client sent. */
function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw new ApiError(400, { message: 'the body is not valid UTF-8', code: 'invalid_encoding' })
  }
}

function tooComplex(most: number): ApiError {
  const message = `the request has more than ${most} objects, lists, strings, decimals and booleans, ${10 * most} integers, or ${100 * most} escapes and characters outside strings; send less at once`
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
