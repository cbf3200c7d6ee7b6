import type { HeldJob } from './held-job.ts'
import { keys } from './protocol.ts'
import { type Redis, runScript } from './redis.ts'
import { retryUntilStopped } from './retry-until-stopped.ts'
import { appendAnswers } from './scripts.ts'

/** Milliseconds in which answers gather for one command. */
const gatherFor = 5

/** Sends answers of jobs to the coordinator; those that come within a few milliseconds go together. */
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
      /** So many rows of a job have an answer in Redis, or need none there any more. */
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

  /** Sends what has gathered, and waits for all that was sent before. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered
    this.#gathered = new Map()
    const sent = [...gathered].map(([held, given]) => this.#send(held, given))
    this.#sending = Promise.all([this.#sending, ...sent]).then(() => undefined)
    return this.#sending
  }

  /** An answer has been paid for: it is kept until Redis takes it. */
  async #send(held: HeldJob, given: readonly string[]): Promise<void> {
    const id = held.job.id!
    const words = [keys.answers(this.#run), keys.done(this.#run, id), this.#jobKey(id), ...given]
    const isSent = await retryUntilStopped(this.#redis, () => runScript<number>(this.#redis, appendAnswers, words), this.#onTrouble)
    if (isSent) this.#onSent(held, given.length / 2)
  }
}
