import { PromptError } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../config/config-schema.ts'
import { mayReply } from './ask/inferencer.ts'
import type { Pair } from './plan-run.ts'
import { type Amount, costOf, isAny, judgeTokensOf, noTokens } from './record/cost.ts'
import type { ReachedLimit, RowRecord, Spent, TokenUsage } from './record/run-record.ts'

/** What a run may spend; what earlier parts of a resumed run spent counts, except time. */
export type RunLimits = {
  /** In the currency of the models' prices. */
  maxCost?: number | undefined
  /** Prompt and generated tokens, of models and judges. */
  maxTokensTotal?: number | undefined
  /** Seconds from the start of this process's part of the run. */
  maxTime?: number | undefined
}

/** The rows of a model on a dataset: those in flight, those answered and what these took, and those admitted before any was answered. */
type PairRows = { inFlight: number; answered: number; took: Amount; replies: Amount; first: { admitted: number; bounds: Amount } }

/** What a row takes at most; `replied`: if each of its replies takes as much. */
type Bound = (replied?: Amount) => Amount

type Waiting = { pair: Pair; bound: Bound; settle: (isAdmitted: boolean) => void }

/** `stop`: sends no more rows. `onReached`: hears of the limit that ends the run. */
export type BudgetOptions = { stop?: AbortSignal | undefined; onReached?: ((reached: ReachedLimit) => void) | undefined }

/** The longest delay of a timer. */
const longestTimer = 2 ** 31 - 1

/**
 * Admits rows within the limits of a run, before each is sent. Rows in flight are expected to take what the answered rows of their model and
 * dataset took on average, so that they stay within the limits when they finish; before that, their own prompts and the mean of the model's
 * other replies, or else what they may take at most. A row that does not fit waits for those in flight.
 */
export class Budget {
  #limits: RunLimits
  readonly #started: number
  readonly #now: () => number
  readonly #rows = new Map<Pair, PairRows>()
  readonly #spent = nothing()
  /** By currency; a limit on cost requires that there is one. */
  readonly #costs = new Map<string, number>()
  readonly #unpriced = new Set<string>()
  #waiting: Waiting[] = []
  /** A model whose server did not report the tokens of a row. */
  #withoutUsage: ModelConfig | undefined
  #isPaused = false
  #isClosed = false
  #reached: ReachedLimit | undefined
  readonly #onReached: BudgetOptions['onReached']
  readonly #ending = new AbortController()
  readonly #recalling = new AbortController()
  #isTimed = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Aborted by the given signal, by `halt`, and when the time is up. */
  readonly stop: AbortSignal
  /** Also aborted once any limit is reached: rows on a queue that no worker has taken are taken back. */
  readonly recall: AbortSignal

  /** `now` in milliseconds. */
  constructor(limits: RunLimits, now: () => number, { stop, onReached }: BudgetOptions = {}) {
    this.#limits = limits
    this.#now = now
    this.#started = now()
    this.#onReached = onReached
    this.stop = stop ? AbortSignal.any([stop, this.#ending.signal]) : this.#ending.signal
    this.recall = AbortSignal.any([this.stop, this.#recalling.signal])
    this.stop.addEventListener('abort', () => this.#close(), { once: true })
  }

  get limits(): RunLimits {
    return this.#limits
  }

  /** The limit that no more rows fit into. */
  get reached(): ReachedLimit | undefined {
    if (!this.#reached && this.#timeIsUp()) this.#reach('max-time')
    if (!this.#reached) return undefined
    const { limit, value, spent } = this.#reached
    // Rows in flight still spend.
    return { limit, value, spent: { ...this.spent, seconds: spent.seconds } }
  }

  /** Whether rows are in flight. */
  get isBusy(): boolean {
    return [...this.#rows.values()].some(({ inFlight }) => inFlight > 0)
  }

  /** Whether nothing is left to spend: rows that only a judge has to answer are not admitted one by one. */
  isSpent(): boolean {
    if (this.reached) return true
    const { maxCost = Number.POSITIVE_INFINITY, maxTokensTotal = Number.POSITIVE_INFINITY } = this.#limits
    if (this.#spent.cost >= maxCost) this.#reach('max-cost')
    else if (this.#spent.tokens >= maxTokensTotal) this.#reach('max-tokens-total')
    return this.#reached !== undefined
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  get spent(): Spent {
    const seconds = (this.#now() - this.#started) / 1000
    const costs = [...this.#costs].map(([currency, amount]) => ({ amount, currency }))
    const unpriced = [...this.#unpriced]
    const { tokens } = this.#spent
    if (costs.length === 0) return { tokens, seconds }
    if (costs.length === 1 && unpriced.length === 0) return { tokens, seconds, cost: costs[0]! }
    return { tokens, seconds, costs, ...(unpriced.length > 0 ? { unpriced } : {}) }
  }

  /** A row that an earlier part of the run recorded. */
  recorded(pair: Pair, record: RowRecord): void {
    this.#count(pair, record)
    const judge = judgeTokensOf(record)
    if (judge) this.judged(pair, judge)
  }

  /** An answer that an earlier part recorded, and that was replaced since. */
  replaced(pair: Pair, tokens: TokenUsage | undefined, judge: TokenUsage | undefined): void {
    if (tokens) this.#count(pair, { tokens })
    if (judge) this.judged(pair, judge)
  }

  /** The first replies to a row that was stopped before its last: they were paid for, and say little about what a row takes. */
  partial(pair: Pair, tokens: TokenUsage): void {
    this.#add(pair, tokens, pair.model, [this.#spent])
  }

  /** Whether a row that takes at most `bound` may be sent; `settle` must follow if so. */
  admit(pair: Pair, bound: Bound): boolean | Promise<boolean> {
    const decided = this.#decide(pair, bound)
    return decided ?? new Promise((settle) => this.#waiting.push({ pair, bound, settle }))
  }

  /** An admitted row is done, with its record if it has one. */
  settle(pair: Pair, record?: RowRecord): void {
    this.#of(pair).inFlight--
    try {
      if (record) this.#count(pair, record)
    } finally {
      this.#admitWaiting()
    }
  }

  /** A judge has answered: the cost is part of the row's. */
  judged(pair: Pair, tokens: TokenUsage): void {
    this.#add(pair, tokens, pair.judge?.config ?? {})
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#admitWaiting()
  }

  /** Changes the limits. One that was reached stays so: rows have been skipped. */
  change(limits: RunLimits): void {
    if (this.#withoutUsage) refuseWithoutUsage(this.#withoutUsage, limits)
    this.#limits = limits
    this.#admitWaiting()
    this.#setTimer()
  }

  /** Sends no more rows, as the given signal does. */
  halt(): void {
    this.#ending.abort()
  }

  /** Sends rows; `stop` is aborted as soon as the time is up. */
  async untilTimeIsUp<Sent>(send: () => Promise<Sent>): Promise<Sent> {
    void this.reached
    this.#isTimed = true
    this.#setTimer()
    try {
      return await send()
    } finally {
      this.#isTimed = false
      clearTimeout(this.#timer)
    }
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    const { maxTime } = this.#limits
    if (!this.#isTimed || maxTime === undefined) return
    const left = (maxTime - this.spent.seconds) * 1000
    this.#timer = setTimeout(() => void this.reached, Math.min(longestTimer, left + 1))
  }

  #close(): void {
    this.#isClosed = true
    this.#admitWaiting()
  }

  /** True or false, or undefined if the row has to wait. */
  #decide(pair: Pair, bound: Bound): boolean | undefined {
    if (this.#isClosed || this.reached) return false
    if (this.#isPaused) return undefined
    const rows = this.#of(pair)
    const { maxCost, maxTokensTotal } = this.#limits
    if (maxCost === undefined && maxTokensTotal === undefined) {
      rows.inFlight++
      return true
    }
    const reply = this.#meanReply(pair)
    const most = rows.answered === 0 ? bound(reply) : undefined
    const isAlone = !this.isBusy
    // If no reply of the model is known, a row that may take more than is left is tried alone: few are as long as they may be.
    const lacking = this.#lackingFor(rows, isAlone && !reply ? undefined : most)
    if (lacking === undefined) {
      rows.inFlight++
      if (most) {
        rows.first.admitted++
        add(rows.first.bounds, most)
      }
      return true
    }
    if (!isAlone) return undefined
    this.#reach(lacking)
    return false
  }

  /** The limit that another of these rows would exceed; `most`: what it takes at most, if none was answered. */
  #lackingFor(rows: PairRows, most: Amount | undefined): ReachedLimit['limit'] | undefined {
    const { maxCost = Number.POSITIVE_INFINITY, maxTokensTotal = Number.POSITIVE_INFINITY } = this.#limits
    const expected = { ...this.#spent }
    for (const one of this.#rows.values()) addMean(expected, one, one.inFlight)
    if (expected.cost >= maxCost) return 'max-cost'
    if (expected.tokens >= maxTokensTotal) return 'max-tokens-total'
    if (most) add(expected, most)
    else if (rows.answered > 0) addMean(expected, rows, 1)
    // Sums of small amounts are not exact.
    if (expected.cost > maxCost * (1 + 1e-9)) return 'max-cost'
    return expected.tokens > maxTokensTotal ? 'max-tokens-total' : undefined
  }

  #admitWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const one of waiting) {
      const decided = this.#decide(one.pair, one.bound)
      if (decided === undefined) this.#waiting.push(one)
      else one.settle(decided)
    }
  }

  #count(pair: Pair, { tokens, cached }: Pick<RowRecord, 'tokens' | 'cached'>): void {
    if (cached || !isAny(tokens)) return
    const { price } = pair.model
    const rows = this.#of(pair)
    rows.answered++
    add(rows.replies, { tokens: tokens.reply, cost: price ? costOf({ ...noTokens(), reply: tokens.reply }, price).amount : 0 })
    this.#add(pair, tokens, pair.model)
  }

  /** `asked`: the model itself, or the judge of its answers. */
  #add(
    pair: Pair,
    tokens: TokenUsage,
    asked: Pick<ModelConfig, 'abbr' | 'path' | 'price'>,
    amounts: readonly Amount[] = [this.#spent, this.#of(pair).took],
  ): void {
    if ((tokens.unreported ?? 0) > 0) {
      const { model } = pair
      this.#withoutUsage = model
      refuseWithoutUsage(model, this.#limits, asked === model)
    }
    const cost = asked.price && !tokens.unreported ? costOf(tokens, asked.price) : undefined
    if (cost) this.#costs.set(cost.currency, (this.#costs.get(cost.currency) ?? 0) + cost.amount)
    else this.#unpriced.add(asked.abbr ?? asked.path ?? 'judge')
    const total = tokens.prompt + tokens.reply
    for (const amount of amounts) {
      amount.tokens += total
      amount.cost += cost?.amount ?? 0
    }
  }

  #of(pair: Pair): PairRows {
    const known = this.#rows.get(pair) ?? {
      inFlight: 0,
      answered: 0,
      took: nothing(),
      replies: nothing(),
      first: { admitted: 0, bounds: nothing() },
    }
    this.#rows.set(pair, known)
    return known
  }

  /** What a reply of the pair's model took on average, on any dataset with replies; undefined if there is none. */
  #meanReply({ model, inferencer }: Pair): Amount | undefined {
    const sum = nothing()
    let [rows, count] = [0, 0]
    for (const [{ model: other, dataset }, { answered, replies }] of this.#rows) {
      if (other !== model) continue
      rows += answered
      // Rows that are only scored say nothing about replies.
      if (replies.tokens === 0) continue
      count += answered * (dataset.n ?? 1)
      add(sum, replies)
    }
    if (count > 0) return { tokens: sum.tokens / count, cost: sum.cost / count }
    return rows > 0 && !mayReply(inferencer) ? nothing() : undefined
  }

  #timeIsUp(): boolean {
    const { maxTime } = this.#limits
    return maxTime !== undefined && this.#now() - this.#started >= maxTime * 1000
  }

  #reach(limit: ReachedLimit['limit']): void {
    const value = { 'max-cost': this.#limits.maxCost, 'max-tokens-total': this.#limits.maxTokensTotal, 'max-time': this.#limits.maxTime }[
      limit
    ]!
    this.#reached = { limit, value, spent: this.spent }
    if (limit === 'max-time') this.#ending.abort()
    this.#recalling.abort()
    this.#onReached?.(this.#reached)
  }
}

function nothing(): Amount {
  return { tokens: 0, cost: 0 }
}

function add(sum: Amount, { tokens, cost }: Amount, times = 1): void {
  sum.tokens += times * tokens
  sum.cost += times * cost
}

/** Adds what rows of a model and a dataset are expected to take. */
function addMean(sum: Amount, { answered, took, first }: PairRows, rows: number): void {
  if (answered > 0) add(sum, took, rows / answered)
  else if (first.admitted > 0) add(sum, first.bounds, rows / first.admitted)
}

/** `ofRows`: whether the tokens are those that `max_cost_per_row` limits. */
function refuseWithoutUsage(
  { abbr, path, max_cost_per_row: perRow }: ModelConfig,
  { maxCost, maxTokensTotal }: RunLimits,
  ofRows = false,
): void {
  if (maxCost === undefined && maxTokensTotal === undefined && !(ofRows && perRow !== undefined)) return
  throw new PromptError('no-usage', {
    where: abbr ?? path ?? 'model',
    problem: 'the server does not report the tokens of a reply, so that limits on cost and tokens cannot be kept',
    fix: 'limit the run by --max-time or --limit (without max_cost_per_row; `none` removes a limit), or let the server report usage',
  })
}
