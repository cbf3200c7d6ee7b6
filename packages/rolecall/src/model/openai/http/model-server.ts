import { PromptError } from '@rolecall/core/internal/errors'
import { BadReply, type HttpClient, HttpFailure, type HttpReply } from './http-client.ts'
import type { SharedPace } from './pace.ts'
import { Pace } from './pace.ts'
import { noRefusals, Refusals, type RequestRefusals } from './refusals.ts'
import { replyLimit } from './reply-limit.ts'
import { isSpent, isWorthRetrying, printable, type Refusal, readRefusal, refusalError, type ServerName } from './server-error.ts'
import type { Clock } from './wait.ts'
import { backoff, retryAfter, type Wait } from './wait.ts'

/** The server refuses this request permanently; the reason is not classified yet. */
export class Refused extends Error {
  override readonly name = 'Refused'
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

export type ServerOptions = {
  client: HttpClient
  baseUrl: string
  /** The query of every address, e.g. `?api-version=1`. */
  query?: string
  headers: Readonly<Record<string, string>>
  name: ServerName
  concurrency: number
  requestsPerMinute?: number
  /** How long the server may be silent, in milliseconds. */
  timeout: number
  /** How often a failed request is retried. */
  retries: number
  /** Maximum delay before a retry, in milliseconds. */
  longestWait: number
  /** How long the server may be unreachable, in milliseconds. */
  longestDown: number
  /** The same before it was reached for the first time: most likely it was not started, and waiting is of no use. */
  longestFirst?: number
  clock: Clock
  random: () => number
  onWait?: (wait: Wait) => void
  /** Shares the rate limit with other processes. */
  shared?: SharedPace | undefined
}

export type ServerRequest = {
  path: string
  /** Read again for every attempt if it is large. */
  body?: string | (() => Promise<Uint8Array<ArrayBuffer>>)
  /** POST by default. */
  method?: 'GET'
  /** Beside those of every request. */
  headers?: Readonly<Record<string, string>>
  /** It must not be sent twice: a failure after which the server may have accepted it is thrown as it is. */
  isOnce?: true
  signal?: AbortSignal | undefined
  /** The requested number of tokens, which bounds the reply. */
  tokens: number
}

/** A server whose requests are retried within limits. */
export class Server {
  readonly #options: ServerOptions
  readonly #pace: Pace
  readonly #closing = new AbortController()
  readonly #urls = new Map<string, string>()
  #downSince: number | undefined
  #wasReached = false
  /** Requests that failed permanently since the last success. */
  #lost = 0
  /** Requests that wait because the server is limiting them: they occupy no slot. */
  held = 0
  readonly #refusals: Refusals
  /** Ends the waits of all requests when the server refuses every request for too long. */
  #givingUp = new AbortController()
  /** Whether it has answered successfully: after that, a failure does not mean a wrong address. */
  hasAnswered = false

  constructor(options: ServerOptions) {
    this.#options = options
    this.#pace = new Pace(options)
    this.#refusals = new Refusals({ retries: options.retries, longest: options.longestWait + options.longestDown })
  }

  get name(): ServerName {
    return this.#options.name
  }

  /**
   * Sends a request and reads the response, with retries where they may help. Throws `Refused` if the server refuses the request, and a
   * `PromptError` if the server is unreachable or never answers successfully.
   */
  async send<Result>(request: ServerRequest, read: (reply: HttpReply) => Promise<Result>): Promise<Result> {
    const place = this.#pace.enter()
    if (place) await place
    let hasSlot = true
    try {
      const { client, timeout } = this.#options
      const { path, body, signal, tokens, method = 'POST', isOnce = false } = request
      const headers = request.headers ? { ...this.#options.headers, ...request.headers } : this.#options.headers
      const limit = replyLimit(tokens, timeout)
      const url = this.#urlOf(path)
      let attempt = 0
      const refusals = noRefusals()
      let knocks = 0
      let isFresh = false
      for (;;) {
        const turn = this.#pace.isOpen ? undefined : this.#pace.go(this.#untilOver(signal))
        if (turn) await turn
        signal?.throwIfAborted()
        this.#closing.signal.throwIfAborted()
        let failure: Failure
        const sent = this.#refusals.send()
        try {
          const content = typeof body === 'function' ? await body() : body
          const reply = await client({ url, method, headers, body: content, timeout, signal, limit })
          this.#downSince = undefined
          this.#wasReached = true
          if (reply.status >= 200 && reply.status < 300) {
            const result = await read(reply)
            this.#refusals.end(sent)
            this.#refusals.accept()
            this.#lost = 0
            this.hasAnswered = true
            this.#pace.accepted()
            return result
          }
          failure = await this.#refusal(reply)
          this.#refusals.end(sent)
          if (isOnce) throw new HttpFailure('broken', failure.problem)
        } catch (error) {
          this.#refusals.end(sent)
          signal?.throwIfAborted()
          this.#closing.signal.throwIfAborted()
          // Also where it is unreachable: a connection that times out may have carried the request.
          if (isOnce && !(error instanceof HttpFailure && error.kind === 'impossible')) throw error
          if (error instanceof HttpFailure && error.kind === 'unreachable') {
            await this.#waitForServer(error.message, knocks++, signal)
            continue
          }
          if (error instanceof HttpFailure && error.kind === 'impossible') throw this.#impossible(error.message)
          if (error instanceof HttpFailure && error.kind === 'stale' && !isFresh) {
            // Servers close idle connections, some without notice: that does not mean that they are overloaded.
            isFresh = true
            continue
          }
          if (!(error instanceof HttpFailure || error instanceof BadReply)) throw error
          failure = { problem: printable(error.message, this.#options.name.secrets) }
        }
        if (!failure.isLimited) {
          await this.#waitToRetry(failure, ++attempt, signal)
          continue
        }
        this.#pace.leave()
        hasSlot = false
        await this.#waitForLimit(sent, failure, refusals, signal)
        const again = this.#pace.enter(this.#untilOver(signal))
        if (again) await again
        hasSlot = true
      }
    } finally {
      if (hasSlot) this.#pace.leave()
    }
  }

  #impossible(message: string): PromptError {
    const { where, shown, secrets } = this.#options.name
    return new PromptError('no-endpoint', {
      where: `${where} › base_url`,
      problem: `${shown} cannot be reached: ${printable(message, secrets)}`,
      fix: 'check base_url (http or https), the headers, the certificate (NODE_EXTRA_CA_CERTS names a file with others to trust) and the proxy',
    })
  }

  /** Caches the string of each address, so that it is not assembled for every request. */
  #urlOf(path: string): string {
    const known = this.#urls.get(path)
    if (known !== undefined) return known
    const { baseUrl, query = '' } = this.#options
    const url = `${baseUrl}${path}${path.includes('?') ? query.replace('?', '&') : query}`
    this.#urls.set(path, url)
    return url
  }

  /** Aborts requests and waits. */
  close(): void {
    this.#closing.abort()
  }

  #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const closing = this.#closing.signal
    return this.#options.clock.sleep(milliseconds, signal ? AbortSignal.any([signal, closing]) : closing)
  }

  #untilOver(signal: AbortSignal | undefined): AbortSignal {
    const signals = [this.#closing.signal, this.#givingUp.signal]
    return AbortSignal.any(signal ? [signal, ...signals] : signals)
  }

  async #refusal(reply: HttpReply): Promise<Failure> {
    const refusal = readRefusal(reply.status, await reply.text(), this.#options.name.secrets)
    const location = reply.header('location')
    const isPassing = this.hasAnswered && reply.status >= 300 && reply.status < 400
    if ((!isWorthRetrying(reply.status) && !isPassing) || isSpent(refusal)) throw new Refused({ ...refusal, location })
    const asked = retryAfter(reply.header('retry-after') ?? refusal.retryAfter, this.#options.clock.now())
    const problem = `it answered ${reply.status}${refusal.message === '' ? '' : `: "${refusal.message}"`}`
    const isLimited =
      this.#options.retries > 0 && (reply.status === 429 || reply.status === 529 || (reply.status === 503 && asked !== undefined))
    return { problem: printable(problem, this.#options.name.secrets), asked, isLimited }
  }

  /** The server limits requests: all slow down, and this one waits without a slot. It does not count as a failed attempt. */
  async #waitForLimit(
    sent: number,
    { problem, asked }: Failure,
    refusals: RequestRefusals,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { longestWait, clock, random, onWait, name } = this.#options
    this.#refuseLongWait(asked, problem)
    this.#pace.refused()
    const now = clock.now()
    const next = this.#refusals.refuse(sent, refusals, now)
    if (next === 'fail') {
      throw new PromptError('request-failed', {
        where: name.where,
        problem: `${name.shown} refused the request ${refusals.count} times while it accepted others; the last time ${problem}`,
        fix: 'see what the server says: the request may be larger than its limit; more retries may help',
      })
    }
    if (next === 'too-long') {
      const error = new PromptError('server-busy', {
        where: name.where,
        problem: `${name.shown} has refused every request for ${Math.round(this.#refusals.lasting(now) / 1000)} s: ${problem}`,
        fix: 'run again later: what is done is kept. Fewer requests (concurrency, requests_per_minute) or a larger max_server_wait may help',
      })
      this.#givingUp.abort(error)
      this.#givingUp = new AbortController()
      throw error
    }
    const wait = asked
      ? asked + random() * Math.min(1000, asked)
      : backoff(Math.min(refusals.count, 3) - 1, { longest: longestWait, random })
    this.held++
    onWait?.({ for: 'retry', reason: `its limit (${problem})`, milliseconds: wait })
    try {
      await clock.sleep(wait, this.#untilOver(signal))
    } finally {
      this.held--
    }
  }

  #refuseLongWait(asked: number | undefined, problem: string): void {
    const { longestWait, name } = this.#options
    if (asked === undefined || asked <= longestWait) return
    throw new PromptError('server-busy', {
      where: name.where,
      problem: `${name.shown} asks to wait ${Math.ceil(asked / 1000)} s: ${problem}`,
      fix: `run again after that (what is done is kept), or allow such waits with max_retry_wait: ${Math.ceil(asked / 1000)}`,
    })
  }

  /** A failing response: the row may be the cause, so that retries are limited. */
  async #waitToRetry({ problem, asked }: Failure, attempt: number, signal: AbortSignal | undefined): Promise<void> {
    const { retries, concurrency, longestWait, random, onWait, name } = this.#options
    this.#refuseLongWait(asked, problem)
    if (attempt > retries && ++this.#lost >= Math.max(10, concurrency)) {
      throw new PromptError('server-down', {
        where: name.where,
        problem: `${name.shown} answered none of the last ${this.#lost} requests; the last time ${problem}`,
        fix: 'see what the server says, and run again: what is done is kept',
      })
    }
    if (attempt > retries) {
      throw new PromptError('request-failed', {
        where: name.where,
        problem: `${name.shown} did not answer in ${retries + 1} ${retries === 0 ? 'attempt' : 'attempts'}; the last time ${problem}`,
        fix: 'see what the server says; fewer requests at once (concurrency), more retries or a longer timeout may help',
      })
    }
    // If the server asks for no delay, wait anyway: otherwise the attempts are used up immediately.
    const wait = asked ? asked + random() * Math.min(1000, asked) : backoff(attempt - 1, { longest: longestWait, random })
    onWait?.({ for: 'retry', reason: `retry ${attempt} of ${retries} (${problem})`, milliseconds: wait })
    await this.#sleep(wait, signal)
  }

  /** The server is unreachable, which is not the row's fault: the whole run waits, then ends. */
  async #waitForServer(message: string, knocks: number, signal: AbortSignal | undefined): Promise<void> {
    const { longestDown, longestFirst = longestDown, clock, random, onWait, name } = this.#options
    const now = clock.now()
    this.#downSince ??= now
    const left = this.#downSince + (this.#wasReached ? longestDown : longestFirst) - now
    const problem = printable(message, name.secrets)
    if (left <= 0) {
      throw new PromptError('server-down', {
        where: `${name.where} › base_url`,
        problem: `no server answers at ${name.shown} (${problem})`,
        fix: this.#wasReached
          ? 'start the server again, and run again: what is done is kept'
          : 'start the server, or correct base_url or the proxy; while it is starting: --wait-for-server 5m',
      })
    }
    const wait = Math.min(left, backoff(Math.min(knocks, 3), { longest: 10_000, random }) + 100)
    onWait?.({ for: 'server', reason: `the server (${problem})`, milliseconds: wait })
    await this.#sleep(wait, signal)
  }

  /** A refusal as an error message; for a missing model, with the available ones. */
  async explain({ refusal }: Refused): Promise<PromptError> {
    const models = refusal.status === 404 ? await this.#models() : []
    return refusalError(refusal, this.#options.name, models)
  }

  async #models(): Promise<string[]> {
    const { client, headers } = this.#options
    try {
      const reply = await client({ url: this.#urlOf('/models'), method: 'GET', headers, timeout: 5000, limit: replyLimit(0, 5000) })
      const parsed = JSON.parse(await reply.text()) as { data?: { id?: unknown }[]; models?: { name?: unknown }[] }
      // Gemini's API lists `models/NAME`.
      const ids = [
        ...(parsed.data ?? []).map(({ id }) => id),
        ...(parsed.models ?? []).map(({ name }) => String(name).replace('models/', '')),
      ]
      const names = ids.flatMap((id) => (typeof id === 'string' ? [printable(id, this.name.secrets)] : []))
      return names.slice(0, 8)
    } catch {
      return []
    }
  }
}

type Failure = {
  problem: string
  /** The delay that the server requests. */
  asked?: number
  /** The server limits requests: with 429, with Anthropic's 529, or with 503 and a delay. */
  isLimited?: boolean
}
