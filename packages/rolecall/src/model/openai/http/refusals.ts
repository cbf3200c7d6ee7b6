/** A request fails if, going by the others, it should have been accepted more than this often for each of its retries, but for at least so many. */
const refusalsPerRetry = 3
const leastRetries = 6

/** The refusals of one request. */
export type RequestRefusals = {
  count: number
  /** How often it should have been accepted: the share of others that were accepted between two refusals, added up. */
  expected: number
  /** The accepted and refused requests of the server at the last refusal. */
  accepted: number
  refused: number
}

export function noRefusals(): RequestRefusals {
  return { count: 0, expected: 0, accepted: 0, refused: 0 }
}

export type RefusalLimits = {
  retries: number
  /** How long the server may refuse every request, in milliseconds. */
  longest: number
}

/** Counts the requests that a server accepts and refuses while it limits them, to tell a busy server from a request that it never accepts. */
export class Refusals {
  readonly #limits: RefusalLimits
  #accepted = 0
  #refused = 0
  /** The number of requests sent, and the numbers of those without a response, oldest first. */
  #sent = 0
  readonly #pending = new Set<number>()
  /** Since when it has refused every request. */
  #since: number | undefined

  constructor(limits: RefusalLimits) {
    this.#limits = limits
  }

  /** Numbers an attempt, which must `end`. */
  send(): number {
    this.#pending.add(++this.#sent)
    return this.#sent
  }

  end(attempt: number): void {
    this.#pending.delete(attempt)
  }

  accept(): void {
    this.#accepted++
    this.#since = undefined
  }

  /** Counts a refusal, and says whether the request should wait, should fail, or the server has refused everything for too long. */
  refuse(attempt: number, request: RequestRefusals, now: number): 'wait' | 'fail' | 'too-long' {
    const { retries, longest } = this.#limits
    this.#since ??= now
    const accepted = this.#accepted - request.accepted
    if (request.count > 0 && accepted > 0) request.expected += accepted / (accepted + this.#refused - request.refused)
    request.count++
    this.#refused++
    request.accepted = this.#accepted
    request.refused = this.#refused
    const [oldest = attempt] = this.#pending
    // A request that was sent before this one and not refused is being answered, which may take long.
    if (oldest >= attempt && now - this.#since >= longest) return request.expected > 0 ? 'fail' : 'too-long'
    return request.expected > refusalsPerRetry * Math.max(leastRetries, retries) ? 'fail' : 'wait'
  }

  /** How long it has refused every request, in milliseconds. */
  lasting(now: number): number {
    return this.#since === undefined ? 0 : now - this.#since
  }
}
