import { PromptError } from '@rolecall/core/internal/errors'
import { BadReply, type HttpClient, HttpFailure, type HttpReply } from '../openai/http/http-client.ts'
import { Refused, type Server } from '../openai/http/model-server.ts'
import { printable } from '../openai/http/server-error.ts'
import { strictDecoder } from '../openai/http/strict-decoder.ts'
import { backoff, type Clock, type Wait } from '../openai/http/wait.ts'
import type { BatchApi, BatchResult, BatchStatus } from './batch-api.ts'
import { type BatchJournal, type KnownBatch, Outstanding } from './batch-journal.ts'

export type BatchClientOptions = {
  api: BatchApi
  /** Sends requests about batches. */
  control: Server
  /** Sends what is no request for a reply. */
  direct: HttpClient
  journal: BatchJournal
  /** The most requests of a batch. */
  most: number
  clock: Clock
  random: () => number
  onWait?: ((wait: Wait) => void) | undefined
  hash(text: string): Promise<string>
}

/** A request that waits for its batch. */
type Waiting = {
  id: string
  path: string
  body: string
  known: KnownBatch | undefined
  signal: AbortSignal | undefined
  resolve: (reply: HttpReply) => void
  reject: (reason: unknown) => void
}

/** A batch that is being polled, and who waits for its results. */
type Polled = { known: KnownBatch; waiting: Map<string, Waiting> }

/** Requests that come within this time of each other are submitted together, in milliseconds. */
const quiet = 1000

const [firstPoll, longestPoll] = [1000, 60_000]

/** How often a submission is tried whose fate is unknown. */
const attempts = 4

/**
 * An HTTP client that sends requests in batches: they are collected, submitted, and answered when their batch has ended. What is submitted is
 * in the journal: the same request in a later process is answered by the batch that has it, and is not paid for twice.
 */
export class BatchClient {
  readonly #options: BatchClientOptions
  readonly #outstanding: Outstanding
  readonly #polled = new Map<string, Polled>()
  /** Ids that a request of this process has. */
  readonly #taken = new Set<string>()
  readonly #closing = new AbortController()
  readonly #heard = new WeakSet<AbortSignal>()
  #queue: Waiting[] = []
  #lastQueued = 0
  #isCollecting = false

  constructor(options: BatchClientOptions) {
    this.#options = options
    this.#outstanding = new Outstanding(options.journal)
  }

  readonly send: HttpClient = async (request) => {
    const { direct, hash } = this.#options
    const { body, method, url, signal } = request
    if (method !== 'POST' || body === undefined) return direct(request)
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    const path = new URL(url).pathname.replace(/^.*\/v\d+\w*(?=\/)/, '')
    const hashed = (await hash(`${path}\n${text}`)).slice(0, 40)
    signal?.throwIfAborted()
    const { id, known } = this.#outstanding.take(hashed, (one) => this.#taken.has(one))
    this.#taken.add(id)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { id, path, body: text, known, signal, resolve, reject }
      if (signal) this.#listen(signal)
      this.#queue.push(waiting)
      this.#lastQueued = this.#options.clock.now()
      void this.#collect()
    })
  }

  close(): void {
    this.#closing.abort()
    for (const { reject } of this.#queue.splice(0)) reject(this.#closing.signal.reason)
    for (const { waiting } of this.#polled.values()) for (const { reject } of waiting.values()) reject(this.#closing.signal.reason)
  }

  /** Once for all requests of a run, which share a signal: Node reports many listeners as a leak. */
  #listen(signal: AbortSignal): void {
    if (this.#heard.has(signal)) return
    this.#heard.add(signal)
    const leave = () => {
      const isIts = (one: Waiting) => one.signal === signal
      const gone = this.#queue.filter(isIts)
      this.#queue = this.#queue.filter((one) => !isIts(one))
      for (const { waiting } of this.#polled.values())
        for (const one of waiting.values()) {
          if (!isIts(one)) continue
          waiting.delete(one.id)
          gone.push(one)
        }
      for (const { reject } of gone) reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true, signal: this.#closing.signal })
  }

  /** Waits until no more requests come, or a batch is full. */
  async #collect(): Promise<void> {
    if (this.#isCollecting) return
    this.#isCollecting = true
    const { clock, most } = this.#options
    try {
      while (this.#queue.length > 0) {
        const left = this.#lastQueued + quiet - clock.now()
        if (left > 0 && this.#queue.length < most) await clock.sleep(left, this.#closing.signal)
        else this.#submit(this.#queue.splice(0, most))
      }
    } catch {
      // Closed: everyone who waits has been told.
    } finally {
      this.#isCollecting = false
    }
  }

  #submit(requests: readonly Waiting[]): void {
    const fresh: Waiting[] = []
    for (const waiting of requests) {
      if (waiting.known) this.#poll(waiting.known).waiting.set(waiting.id, waiting)
      else fresh.push(waiting)
    }
    for (const part of inBatches(fresh, this.#options.api.most)) {
      const mark = crypto.randomUUID()
      const ids = part.map(({ id }) => id)
      try {
        this.#outstanding.submitting(mark, ids, Date.now())
      } catch (error) {
        // What is not in the journal is not sent: the disk may be full.
        for (const { reject } of part) reject(error)
        continue
      }
      const known = this.#outstanding.batches.get(mark)
      if (known) this.#run({ known, waiting: new Map(part.map((one) => [one.id, one])) }, part)
    }
  }

  /** The batch of an earlier process, or one that is polled already. */
  #poll(known: KnownBatch): Polled {
    const polled = this.#polled.get(known.mark) ?? { known, waiting: new Map<string, Waiting>() }
    if (!this.#polled.has(known.mark)) this.#run(polled)
    return polled
  }

  #run(polled: Polled, fresh?: readonly Waiting[]): void {
    const { mark } = polled.known
    this.#polled.set(mark, polled)
    this.#answer(polled, fresh).catch(async (error: unknown) => {
      const reason = await this.#reasonOf(error)
      this.#polled.delete(mark)
      for (const { reject } of polled.waiting.values()) reject(reason)
    })
  }

  /** Always what ends the run: a row that got an `HttpFailure` or a `BadReply` would be sent in another batch. */
  async #reasonOf(error: unknown): Promise<unknown> {
    if (error instanceof Refused) return this.#options.control.explain(error)
    if (error instanceof BadReply || error instanceof HttpFailure) return this.#failure(error.message, later)
    return error
  }

  async #answer({ known, waiting }: Polled, fresh?: readonly Waiting[]): Promise<void> {
    const id = known.batch ?? (fresh ? await this.#create(known, fresh, waiting) : await this.#find(known, waiting))
    if (id !== undefined && known.batch === undefined) this.#outstanding.submitted(known.mark, id)
    let status = id === undefined ? undefined : await this.#untilEnded(id, known.size)
    if (status?.state === 'failed') {
      this.#outstanding.done([...waiting.keys()])
      const fix = 'see what the service says; `concurrency` of the model is the most requests of a batch'
      throw this.#failure(`${id} failed: ${status.problem ?? ''}`, fix)
    }
    // Requests of an earlier batch may join while its results are read: these are read again for them.
    for (let looks = 1; waiting.size > 0; ) {
      const ids = [...waiting.keys()]
      for (const place of status?.places ?? []) await this.#read(place, known, waiting)
      const left = ids.filter((one) => waiting.has(one))
      if (left.length === 0) continue
      if (status?.missing === 'cancelled') this.#cancelled(waiting, left)
      else if (id === undefined || status?.missing === 'expired') this.#lose(waiting, left, id === undefined ? lost : expired)
      else if (looks++ < mostLooks) {
        await this.#options.clock.sleep(firstPoll * 2 ** looks, this.#closing.signal)
        status = await this.#untilEnded(id, known.size)
      } else {
        // They were paid for: they are not sent again unless someone decides it.
        throw this.#failure(`${id} has ended without ${left.length} of its results`, whenGone)
      }
    }
    this.#polled.delete(known.mark)
  }

  /** Requests without a result are sent in another batch. */
  #lose(waiting: Map<string, Waiting>, ids: readonly string[], failure: () => Error): void {
    this.#outstanding.done(ids)
    for (const id of ids) {
      waiting.get(id)?.reject(failure())
      waiting.delete(id)
    }
  }

  /** Submits a batch. After a failure, the service is asked whether it has it: a batch that is submitted twice is paid twice. */
  async #create(known: KnownBatch, requests: readonly Waiting[], waiting: Map<string, Waiting>): Promise<string> {
    const { api, control, clock, random } = this.#options
    for (let attempt = 0; ; attempt++) {
      try {
        return await api.create(control, requests[0]?.path ?? '', requests, known.mark)
      } catch (error) {
        if (error instanceof Refused) throw await control.explain(error)
        if (!(error instanceof HttpFailure || error instanceof BadReply)) throw error
        const found = await this.#find(known, waiting)
        if (found !== undefined) return found
        if (attempt + 1 >= attempts) throw this.#failure(`it could not be submitted: ${error.message}`, later)
        await clock.sleep(1000 + backoff(attempt, { longest: longestPoll, random }), this.#closing.signal)
      }
    }
  }

  /** A batch whose id is not known: by its mark; where a service keeps none, by its time and size, and by its results. */
  async #find(known: KnownBatch, waiting: Map<string, Waiting>): Promise<string | undefined> {
    const { mark, at, size } = known
    const { api, control } = this.#options
    const listed = await api.list(control)
    const marked = listed.find((batch) => batch.mark === mark)
    if (marked) return marked.id
    const others = new Set([...this.#outstanding.batches.values()].map(({ batch }) => batch))
    // The clocks of the service and of this machine differ.
    const isIt = ({ created, total, mark: theirs, id }: (typeof listed)[number]) =>
      theirs === undefined && total === size && Math.abs(created - at) < sameTime && !others.has(id)
    const ours = new Set(known.ids)
    // The list has those of others too: the results say whose a batch is.
    for (const { id } of listed.filter(isIt)) {
      const { places } = await this.#untilEnded(id, size)
      let isOurs = false
      const claim = (result: string) => {
        if (isOurs || !ours.has(result)) return
        isOurs = true
        this.#outstanding.submitted(mark, id)
      }
      for (const place of places) await this.#read(place, known, waiting, claim)
      if (isOurs) return id
    }
    return undefined
  }

  async #untilEnded(id: string, size: number): Promise<BatchStatus> {
    const { api, control, clock, onWait } = this.#options
    for (let wait = firstPoll; ; wait = Math.min(longestPoll, wait * 1.5)) {
      const status = await api.status(control, id).catch((error: unknown) => {
        if (!(error instanceof Refused) || error.refusal.status !== 404) throw error
        throw this.#failure(`the service does not have ${id}: ${error.message}`, whenGone)
      })
      if (status.state !== 'running') return status
      onWait?.({ for: 'batch', reason: `batch ${id}: ${status.done} of ${status.total || size} requests are done`, milliseconds: wait })
      await clock.sleep(wait, this.#closing.signal)
    }
  }

  async #read(path: string, { size }: KnownBatch, waiting: Map<string, Waiting>, onId?: (id: string) => void): Promise<void> {
    const { api, control } = this.#options
    const cancelled: string[] = []
    /** Failures cost nothing: what is resumed sends them again. */
    const failed: string[] = []
    await control.send({ path, method: 'GET', tokens: size * tokensOfResult }, async (reply) => {
      for await (const line of linesOf(reply.chunks())) {
        const result = api.readLine(line)
        onId?.(result.id)
        const one = waiting.get(result.id)
        if (!one) continue
        if ('without' in result && result.without === 'cancelled') cancelled.push(result.id)
        else {
          if ('without' in result || result.status >= 400) failed.push(result.id)
          this.#deliver(one, result, waiting)
        }
      }
    })
    this.#outstanding.done(failed)
    this.#cancelled(waiting, cancelled)
  }

  #deliver(one: Waiting, result: BatchResult, waiting: Map<string, Waiting>): void {
    waiting.delete(one.id)
    if ('without' in result) {
      one.reject(expired())
      return
    }
    if (result.status < 400) this.#outstanding.used(one.id)
    one.resolve(replyOf(result.status, result.body))
  }

  /** Someone cancelled the batch: the run ends, and the requests are sent anew when it is resumed. */
  #cancelled(waiting: Map<string, Waiting>, ids: readonly string[]): void {
    if (ids.length === 0) return
    this.#outstanding.done(ids)
    const error = this.#failure(
      'a batch was cancelled before all of its requests were answered',
      'resume the run with -r: the others are sent in a new batch',
    )
    for (const id of ids) {
      waiting.get(id)?.reject(error)
      waiting.delete(id)
    }
  }

  #failure(problem: string, fix: string): PromptError {
    const { where, secrets } = this.#options.control.name
    return new PromptError('batch-failed', { where, problem: printable(problem, secrets), fix })
  }
}

/** How often results are read that are missing. */
const mostLooks = 5

const whenGone =
  'check base_url and the key, and resume with -r; if the results are lost, delete the folder `batches` of the run: its requests are then sent and paid again'

const later = 'run again later with -r: what is done is kept'

/** Two batches of one size that were created within this time of each other may be the same, in milliseconds. */
const sameTime = 10 * 60_000

/** How many tokens a result may have, for the bound on the file of results. */
const tokensOfResult = 20_000

/** The service did not come to it, which counts as a failed attempt. */
function expired(): HttpFailure {
  return new HttpFailure('broken', 'its batch expired before the request was answered')
}

/** No batch has it: it was never submitted, or its result is no longer there. The first time, it is sent at once. */
function lost(): HttpFailure {
  return new HttpFailure('stale', 'its batch has no result for the request')
}

/** Within the limits of a service, and with one path each. */
function inBatches(requests: readonly Waiting[], most: BatchApi['most']): Waiting[][] {
  const batches = new Map<string, { requests: Waiting[]; bytes: number }[]>()
  for (const request of requests) {
    const made = batches.get(request.path) ?? []
    batches.set(request.path, made)
    // A character has up to three bytes.
    const bytes = 3 * request.body.length + 300
    const last = made.at(-1)
    if (last && last.requests.length < most.requests && last.bytes + bytes <= most.bytes) {
      last.requests.push(request)
      last.bytes += bytes
    } else made.push({ requests: [request], bytes })
  }
  return [...batches.values()].flat().map((batch) => batch.requests)
}

/** A result as the response that it would be outside of a batch. Limits are not those of this client: the request is retried as a failed one. */
function replyOf(status: number, body: string): HttpReply {
  return {
    status: status === 429 || status === 529 || status === 503 ? 500 : status,
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    text: async () => body,
    async *chunks() {
      yield new TextEncoder().encode(body)
    },
    discard: () => undefined,
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = strictDecoder()
  let rest: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk).split('\n')
    rest.push(first)
    for (const line of more) {
      const whole = rest.join('')
      if (whole.trim() !== '') yield whole
      rest = [line]
    }
  }
  const last = rest.join('')
  if (last.trim() !== '') yield last
}
