import { PromptError } from '@rolecall/core/internal/errors'
import { stopsRun } from '../model/language-model/stops-run.ts'
import type { WorkersSeen } from '../node/runs/evaluation-options.ts'
import { type Crew, noCrew } from './job-size.ts'
import type { Taking, WorkerStatus } from './protocol.ts'
import { readWorkers } from './read-queue.ts'
import type { Redis } from './redis.ts'
import { RowRate } from './row-rate.ts'

/** How long a run waits for another worker if all current ones refuse with an error that every worker would have. */
const patience = 30_000

/** How long a run waits for workers by default: 10 minutes. */
const usualWait = 600_000

/** Seconds over which the answers of a queue are counted. */
const rateSeconds = 3

/** After this long without a look, Redis was down: workers get time to report again. */
const longestGap = 30_000

/** The workers of each queue of a run. */
export class Crews {
  readonly #redis: Redis
  readonly #queues: readonly string[]
  readonly #wait: number
  #crews: Crew[]
  readonly #rates: readonly RowRate[]
  #refusedSince: number | undefined
  /** Since when rows of a queue wait without a worker. */
  readonly #aloneSince = new Map<string, number>()
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(redis: Redis, queues: readonly string[], wait = usualWait) {
    this.#redis = redis
    this.#queues = queues
    this.#wait = wait
    this.#crews = queues.map(() => noCrew)
    this.#rates = queues.map(() => new RowRate(rateSeconds))
  }

  of(queue: number): Crew {
    return this.#crews[queue] ?? noCrew
  }

  /**
   * Looks for workers; `waiting` are the queues whose rows wait for answers, with the names of their models. Workers report their rates every
   * few seconds only: `answered`, the answers of a queue so far, shows earlier how fast they are.
   */
  async look(
    waiting: ReadonlyMap<number, string>,
    now = performance.now(),
    answered: (queue: string) => number = () => 0,
  ): Promise<WorkersSeen> {
    const workers = await readWorkers(this.#redis)
    const { crews, seen, refusal } = countCrews(workers, this.#queues)
    const rates = this.#queues.map((queue, number) => this.#rates[number]!.after(answered(queue), now))
    this.#crews = crews.map((crew, number) => ({ ...crew, rate: Math.max(crew.rate, rates[number]!) }))
    if (now - this.#lookedAt > longestGap) this.#aloneSince.clear()
    this.#lookedAt = now
    this.#refusedSince = refusal ? (this.#refusedSince ?? now) : undefined
    if (refusal && now - this.#refusedSince! >= Math.min(patience, this.#wait)) return { ...seen, stops: refusal }
    for (const [number, queue] of this.#queues.entries()) {
      const model = waiting.get(number)
      if (model === undefined || hasWorker(workers, queue)) this.#aloneSince.delete(queue)
      else if (now - (this.#aloneSince.get(queue) ?? now) >= this.#wait) {
        return { ...seen, stops: noWorkersError(model, workers, queue, this.#wait) }
      } else if (!this.#aloneSince.has(queue)) this.#aloneSince.set(queue, now)
    }
    return seen
  }
}

/** Whether a worker serves the queue, or is opening its model. */
function hasWorker(workers: readonly WorkerStatus[], queue: string): boolean {
  return workers.some(({ queues: { [queue]: taking } }) => taking && !taking.refuses)
}

/** Names the reason of each worker. */
function noWorkersError(model: string, workers: readonly WorkerStatus[], queue: string, wait: number): PromptError {
  const given = wait < 60_000 ? `${wait / 1000} s` : `${Math.round(wait / 60_000)} min`
  const reasons = reasonsOf(workers, queue)
  return new PromptError('no-workers', {
    where: model,
    problem: `for ${given} no worker has taken its rows: ${reasons.length === 0 ? 'there are none on the queue' : listed(reasons)}`,
    fix: 'start workers with `rolecall runs worker`, or correct what they refuse; --wait-for-workers sets how long a run waits',
  })
}

/** Why each worker takes no rows of a queue. */
function reasonsOf(workers: readonly WorkerStatus[], queue: string): string[] {
  const other = 'does not serve this model (--models), or has not seen the run yet'
  return workers.map(({ id, queues: { [queue]: taking } }) => `${id}: ${taking?.refuses?.text ?? other}`)
}

function listed(reasons: readonly string[]): string {
  return reasons.map((reason) => `\n    ${reason}`).join('')
}

/** Counts the workers of each queue. `refusal`: the error that stops the run if a queue has no workers. */
export function countCrews(
  workers: readonly WorkerStatus[],
  queues: readonly string[],
): { crews: Crew[]; seen: WorkersSeen; refusal?: PromptError } {
  const refusals = new Set<string>()
  let refusal: PromptError | undefined
  const crews = queues.map((queue): Crew => {
    const takings = workers.flatMap(({ queues: { [queue]: taking } }) => taking ?? [])
    const serving = takings.filter(({ slots }) => slots > 0)
    for (const { refuses } of takings) {
      if (!refuses) continue
      refusals.add(refuses.text)
      if (serving.length > 0 || !stopsRun(new PromptError(refuses.code, refuses))) continue
      const reasons = reasonsOf(workers, queue)
      const more = reasons.length > 1 ? `; the reason of each worker: ${listed(reasons)}` : ''
      refusal ??= new PromptError(refuses.code, { ...refuses, problem: `${refuses.problem}${more}` })
    }
    const sum = (of: (taking: Taking) => number) => serving.reduce((total, taking) => total + of(taking), 0)
    return { workers: serving.length, slots: sum(({ slots }) => slots), rate: sum(({ rate }) => rate) }
  })
  const serving = workers.filter((worker) => queues.some((queue) => (worker.queues[queue]?.slots ?? 0) > 0))
  const slots = crews.reduce((sum, crew) => sum + crew.slots, 0)
  return { crews, seen: { workers: serving.length, slots, refusals: [...refusals] }, ...(refusal ? { refusal } : {}) }
}
