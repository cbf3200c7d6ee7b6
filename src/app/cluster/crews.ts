import { PromptError } from '../../base/errors/prompt-error.ts'
import { stopsRun } from '../../model/language-model/stops-run.ts'
import type { WorkersSeen } from '../node/runs/evaluation-options.ts'
import type { Crew } from './job-size.ts'
import type { WorkerStatus } from './protocol.ts'
import { readWorkers } from './read-queue.ts'
import type { Redis } from './redis.ts'

/** How long a run waits for another worker if all current ones refuse. */
const patience = 30_000

/** The workers of each queue of a run. */
export class Crews {
  readonly #redis: Redis
  readonly #queues: readonly string[]
  #crews: Crew[]
  #refusedSince: number | undefined

  constructor(redis: Redis, queues: readonly string[]) {
    this.#redis = redis
    this.#queues = queues
    this.#crews = queues.map(() => ({ workers: 0, slots: 0 }))
  }

  of(queue: number): Crew {
    return this.#crews[queue] ?? { workers: 0, slots: 0 }
  }

  async look(now = performance.now()): Promise<WorkersSeen> {
    const { crews, seen, refusal } = countCrews(await readWorkers(this.#redis), this.#queues)
    this.#crews = crews
    if (!refusal) {
      this.#refusedSince = undefined
      return seen
    }
    this.#refusedSince ??= now
    return now - this.#refusedSince < patience ? seen : { ...seen, stops: refusal }
  }
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
      const error = new PromptError(refuses.code, refuses)
      if (serving.length === 0 && stopsRun(error)) refusal ??= error
    }
    return { workers: serving.length, slots: serving.reduce((sum, { slots }) => sum + slots, 0) }
  })
  const serving = workers.filter((worker) => queues.some((queue) => (worker.queues[queue]?.slots ?? 0) > 0))
  const slots = crews.reduce((sum, crew) => sum + crew.slots, 0)
  return { crews, seen: { workers: serving.length, slots, refusals: [...refusals] }, ...(refusal ? { refusal } : {}) }
}
