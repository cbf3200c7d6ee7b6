import { ApiError } from './api-error.ts'
import type { ApiKey } from './guard.ts'
import type { ServerLayer } from './request-env.ts'
import type { ClientLimits, ServerLimits } from './server-limits.ts'

/** An admitted request: `spend` counts tokens once they are known, `end` releases its slot. */
export type AdmittedRequest = { spend(tokens: number): void; end(): void }

/** Enforces the limits of each client: those of its key, or the general ones. */
export function limitClients(limits: ServerLimits, keys: readonly ApiKey[], now: () => number): ServerLayer {
  const general = { requestsPerMinute: limits.requestsPerMinute, ...limits.client }
  const others = new ClientLimiter(general, now)
  // Keys inherit the general limits.
  const byKey = new Map(keys.map(({ name, key: _, ...own }) => [name, new ClientLimiter({ ...general, ...own }, now)]))
  return async (context, next) => {
    const observer = context.get('observer')
    const admitted = (byKey.get(context.get('key')?.name ?? '') ?? others).admit(context.get('client'))
    context.set('observer', {
      ...observer,
      reply: (model, tokens) => {
        observer.reply(model, tokens)
        admitted.spend(tokens.prompt + tokens.reply)
      },
    })
    try {
      await next()
    } finally {
      // A stream outlives its response.
      void Promise.resolve(context.get('done')).then(() => admitted.end())
    }
  }
}

/** Enforces the same limits for each of several clients. */
class ClientLimiter {
  readonly #limits: ClientLimits
  readonly #requests: RateLimit | undefined
  readonly #tokens: RateLimit | undefined
  readonly #running = new Map<string, number>()

  constructor(limits: ClientLimits, now: () => number) {
    const { requestsPerMinute, tokensPerMinute } = limits
    this.#limits = limits
    this.#requests = requestsPerMinute === undefined ? undefined : new RateLimit(requestsPerMinute, now, 'requests')
    this.#tokens = tokensPerMinute === undefined ? undefined : new RateLimit(tokensPerMinute, now, 'tokens')
  }

  /** Admits a client's request, or throws a 429 with `retry-after`. */
  admit(client: string): AdmittedRequest {
    const { concurrent } = this.#limits
    const running = this.#running.get(client) ?? 0
    if (concurrent !== undefined && running >= concurrent) {
      throw new ApiError(429, {
        message: `this client has ${running} requests running (limit ${concurrent}); try again when one has finished`,
        code: 'rate_limit_exceeded',
        headers: { 'retry-after': '1' },
      })
    }
    // The number of tokens is not known yet: admitted if any are left.
    this.#tokens?.take(client, 0)
    this.#requests?.take(client, 1)
    this.#running.set(client, running + 1)
    let isOver = false
    return {
      spend: (tokens) => this.#tokens?.spend(client, tokens),
      end: () => {
        if (isOver) return
        isOver = true
        const left = (this.#running.get(client) ?? 1) - 1
        if (left === 0) this.#running.delete(client)
        else this.#running.set(client, left)
      },
    }
  }
}

/** A token bucket per client, refilled continuously over a minute. */
class RateLimit {
  readonly #perMinute: number
  readonly #now: () => number
  readonly #unit: string
  /** What each client had left, and when; negative after overspending. In the order of the last use. */
  readonly #clients = new Map<string, { left: number; at: number }>()

  constructor(perMinute: number, now: () => number, unit: string) {
    this.#perMinute = perMinute
    this.#now = now
    this.#unit = unit
  }

  /** Throws if less than one unit is left. */
  take(client: string, amount: number): void {
    const left = this.#left(client)
    if (left < 1) throw this.#exceeded(left)
    this.#set(client, left - amount)
  }

  /** Subtracts without checking: for usage known only afterwards. */
  spend(client: string, amount: number): void {
    this.#set(client, this.#left(client) - amount)
  }

  #left(client: string): number {
    const known = this.#clients.get(client)
    const refilled = known ? known.left + ((this.#now() - known.at) / 60_000) * this.#perMinute : this.#perMinute
    return Math.min(this.#perMinute, refilled)
  }

  #set(client: string, left: number): void {
    const now = this.#now()
    this.#clients.delete(client)
    this.#clients.set(client, { left, at: now })
    this.#evictFull(now)
  }

  #exceeded(left: number): ApiError {
    const seconds = Math.max(1, Math.ceil(((1 - left) * 60) / this.#perMinute))
    return new ApiError(429, {
      message: `this client exceeded ${this.#perMinute} ${this.#unit} per minute; try again in ${seconds} s`,
      code: 'rate_limit_exceeded',
      headers: { 'retry-after': String(seconds) },
    })
  }

  /** Evicts clients whose bucket is full again, the least recently used first. */
  #evictFull(now: number): void {
    for (const [client, { left, at }] of this.#clients) {
      if (left + ((now - at) / 60_000) * this.#perMinute < this.#perMinute) return
      this.#clients.delete(client)
    }
  }
}
