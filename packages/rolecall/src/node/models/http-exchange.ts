import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { UnpackBudget } from '@rolecall/core/internal/errors'
import type { Dispatcher } from 'undici'
import { BadReply, HttpFailure, type HttpReply } from '../../model/openai/http/http-client.ts'
import { beyondLimit, type ReplyLimit } from '../../model/openai/http/reply-limit.ts'
import { afterPoll } from './after-poll.ts'

/** Back-pressure: the server is paused when this many bytes are unread. */
const mostBuffered = 1 << 20

type Headers = Readonly<Record<string, string | string[] | undefined>>

export type ExchangeEvents = {
  onReply: (reply: HttpReply) => void
  onFailure: (error: unknown) => void
  /** Called once, on success or failure. */
  onEnd: () => void
  /** Limits on the reply's size and duration. */
  limit: ReplyLimit | undefined
  /** Converts an undici error, before or after the reply has begun. */
  asFailure: (error: Error, hasBegun: boolean) => unknown
}

/**
 * A request and its reply as a handler for undici's `dispatch`. Its `request` creates a stream, an async resource and half a dozen
 * promises per reply, a fifth of the cost of a short request.
 */
export class HttpExchange implements Dispatcher.DispatchHandler, HttpReply {
  readonly #events: ExchangeEvents
  #controller: Dispatcher.DispatchController | undefined
  #abortedFor: Error | undefined
  #headers: Headers = {}
  #chunks: Buffer[] = []
  #waiting = 0
  #bytes = 0
  #begun = 0
  #isWholeWanted = false
  #end: 'open' | 'complete' | { failure: unknown } = 'open'
  #wake: (() => void) | undefined
  status = 0

  constructor(events: ExchangeEvents) {
    this.#events = events
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  async text(): Promise<string> {
    this.#isWholeWanted = true
    this.#controller?.resume()
    while (this.#end === 'open') await this.#news()
    if (this.#end !== 'complete') throw this.#end.failure
    const [first] = this.#chunks
    const sent = this.#chunks.length === 1 ? first! : Buffer.concat(this.#chunks)
    this.#chunks = []
    const whole = this.#isPacked ? await wholeOf(this.#unpacked([sent])) : sent
    if (!isUtf8(whole)) throw new BadReply('its reply is not UTF-8')
    // Some servers send a byte order mark.
    return whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? whole.toString('utf8', 3) : whole.toString()
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    yield* this.#isPacked ? this.#unpacked(this.#sent()) : this.#sent()
  }

  async *#sent(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const some = this.#chunks
        this.#chunks = []
        this.#waiting = 0
        this.#controller?.resume()
        yield* some
        if (this.#chunks.length > 0) continue
        if (this.#end === 'complete') return
        if (this.#end !== 'open') throw this.#end.failure
        await this.#news()
      }
    } finally {
      this.discard()
    }
  }

  /** Some servers compress unasked. */
  get #isPacked(): boolean {
    return !['', 'identity'].includes(this.header('content-encoding')?.trim().toLowerCase() ?? '')
  }

  /** Unpacks a reply as it comes. Its limit, or the budget of one without a limit, counts the unpacked bytes. */
  async *#unpacked(sent: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const encoding = this.header('content-encoding')!.trim().toLowerCase()
    const unpack = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }[encoding]
    if (!unpack) throw new BadReply(`its reply has an unsupported content-encoding (${encoding})`)
    const { limit } = this.#events
    let bytes = 0
    const source = Readable.from(sent)
    const stream = source.pipe(unpack())
    source.on('error', (error) => stream.destroy(error))
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (limit && bytes > limit.bytes) throw new HttpFailure('endless', beyondLimit(limit, 'bytes'))
        if (bytes > new UnpackBudget('', this.#bytes).left) throw new HttpFailure('endless', 'its answer unpacks to far more than its size')
        yield chunk
      }
    } catch (error) {
      throw /^Z_|^ERR__ERROR/.test((error as NodeJS.ErrnoException).code ?? '') ? new BadReply('its reply cannot be decompressed') : error
    } finally {
      source.destroy()
      stream.destroy()
    }
  }

  discard(): void {
    if (this.#end === 'open') this.abort(new Error('the rest of the reply is not wanted'))
  }

  /** Cancels the request at any stage and closes its connection. */
  abort(reason: Error): void {
    this.#abortedFor = reason
    this.#controller?.abort(reason)
    this.#close({ failure: reason })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#abortedFor) controller.abort(this.#abortedFor)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Informational responses such as 100 Continue precede the reply.
    if (status < 200) return
    this.status = status
    this.#headers = headers
    this.#begun = performance.now()
    this.#events.onReply(this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#waiting += chunk.length
    this.#bytes += chunk.length
    const { limit } = this.#events
    const beyond =
      limit && (this.#bytes > limit.bytes ? 'bytes' : performance.now() - this.#begun > limit.milliseconds ? 'milliseconds' : undefined)
    if (beyond) {
      this.abort(new HttpFailure('endless', beyondLimit(limit, beyond)))
      return
    }
    if (this.#waiting > mostBuffered && !this.#isWholeWanted) controller.pause()
    if (!this.#isWholeWanted) this.#wake?.()
  }

  onResponseEnd(): void {
    this.#close('complete')
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#close({ failure: this.#events.asFailure(error, this.status !== 0) })
  }

  #close(end: 'complete' | { failure: unknown }): void {
    if (this.#end !== 'open') return
    this.#end = end
    this.#events.onEnd()
    if (end !== 'complete' && this.status === 0) this.#events.onFailure(end.failure)
    if (this.#wake) afterPoll(this.#wake)
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

async function wholeOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const whole: Buffer[] = []
  for await (const chunk of chunks) whole.push(chunk)
  return Buffer.concat(whole)
}
