import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswer } from './pack-answer.ts'
import type { PendingRows } from './pending-rows.ts'
import { keys } from './protocol.ts'
import type { QueueClient, Redis } from './redis.ts'
import { describeProblem } from './report-problem.ts'

type Entry = [id: string, fields: string[]]

/** Reads the stream of answers from its beginning, then follows it. */
export class AnswerReader {
  readonly #redis: Redis
  readonly #stream: string
  readonly #books: PendingRows
  readonly #on: { split: (job: string) => void; trouble: (problem: string) => void }
  #last = '0-0'
  #isStopped = false

  constructor(
    client: QueueClient,
    run: string,
    books: PendingRows,
    on: { split: (job: string) => void; trouble: (problem: string) => void },
  ) {
    this.#redis = client.again()
    this.#stream = keys.answers(run)
    this.#books = books
    this.#on = on
  }

  /** Reads the available entries. */
  async readAll(): Promise<void> {
    while (await this.#read(false));
  }

  /** Follows the stream until stopped. */
  async follow(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#read(true)
      } catch (error) {
        if (this.#isStopped) return
        this.#on.trouble(describeProblem(error))
        await sleep(500)
      }
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#redis.disconnect()
  }

  /** Returns whether there were entries. */
  async #read(isFollowing: boolean): Promise<boolean> {
    const found = isFollowing
      ? await this.#redis.xread('COUNT', 500, 'BLOCK', 1000, 'STREAMS', this.#stream, this.#last)
      : await this.#redis.xread('COUNT', 500, 'STREAMS', this.#stream, this.#last)
    const entries = found?.[0]?.[1] ?? []
    for (const entry of entries) this.#take(entry)
    return entries.length > 0
  }

  #take([id, fields]: Entry): void {
    this.#last = id
    const { key, answer, split } = Object.fromEntries(pairs(fields)) as Partial<Record<string, string>>
    if (split !== undefined) {
      this.#on.split(split)
      void this.#redis.xdel(this.#stream, id).catch(() => undefined)
      return
    }
    const sent = answer === undefined ? undefined : readAnswer(answer)
    if (key !== undefined && sent) this.#books.answered(key, id, sent)
    else {
      this.#on.trouble('an answer that cannot be read was removed from the queue')
      void this.#redis.xdel(this.#stream, id).catch(() => undefined)
    }
  }
}

function pairs(fields: readonly string[]): [string, string][] {
  const found: [string, string][] = []
  for (let index = 0; index + 1 < fields.length; index += 2) found.push([fields[index]!, fields[index + 1]!])
  return found
}
