import type { HeldJob } from './held-job.ts'
import { keys } from './protocol.ts'
import { type Redis, runScript } from './redis.ts'
import { retryUntilStopped } from './retry-until-stopped.ts'
import { appendAnswers } from './scripts.ts'

/** Milliseconds for which answers are batched into one command. A killed worker loses them, so that their rows are sent again. */
const gatherFor = 20

/** Sends answers of jobs to the coordinator; answers within a few milliseconds are batched. */
export class AnswerSender {
  readonly #redis: Redis
  readonly #run: string
  readonly #jobKey: (job: string) => string
  readonly #onSent: (held: HeldJob, rows: number) => void
  readonly #onTrouble: (problem: string) => void
  #gathered = new Map<HeldJob, string[]>()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(
    redis: Redis,
    run: string,
    on: {
      jobKey: (job: string) => string
      /** Number of rows of a job whose answers are in Redis, or no longer needed there. */
      sent: (held: HeldJob, rows: number) => void
      trouble: (problem: string) => void
    },
  ) {
    this.#redis = redis
    this.#run = run
    this.#jobKey = on.jobKey
    this.#onSent = on.sent
    this.#onTrouble = on.trouble
  }

  add(held: HeldJob, key: string, answer: string): void {
    const known = this.#gathered.get(held)
    if (known) known.push(key, answer)
    else this.#gathered.set(held, [key, answer])
    this.#timer ??= setTimeout(() => void this.flush(), gatherFor)
  }

  /** Sends the current batch, and waits for all earlier ones. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered
    this.#gathered = new Map()
    const sent = [...gathered].map(([held, given]) => this.#send(held, given))
    this.#sending = Promise.all([this.#sending, ...sent]).then(() => undefined)
    return this.#sending
  }

  /** Answers cost money: each is kept until Redis accepts it. */
  async #send(held: HeldJob, given: readonly string[]): Promise<void> {
    const id = held.job.id!
    const words = [keys.answers(this.#run), keys.done(this.#run, id), this.#jobKey(id), ...given]
    const isSent = await retryUntilStopped(this.#redis, () => runScript<number>(this.#redis, appendAnswers, words), this.#onTrouble)
    if (isSent) this.#onSent(held, given.length / 2)
  }
}
