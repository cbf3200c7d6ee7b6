import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswer } from './pack-answer.ts'
import type { PendingRows, Received } from './pending-rows.ts'
import { keys } from './protocol.ts'
import type { QueueClient, Redis } from './redis.ts'
import { describeProblem } from './report-problem.ts'

/** Milliseconds between two commands that read answers. They are safe in Redis, and workers have rows for longer than this. */
const gatherFor = 50

/** Milliseconds that such a command waits for an answer: rows of a lost job are sent again after two of them. */
const blockFor = 250

/** The most entries that such a command reads. */
const mostEntries = 500

type Entry = [id: string, fields: string[]]

type Listeners = { split: (job: string) => void; trouble: (problem: string) => void }

/** Reads the stream of answers from its beginning, then follows it. */
export class AnswerReader {
  readonly #redis: Redis
  readonly #stream: string
  readonly #books: PendingRows
  readonly #on: Listeners
  #last = '0-0'
  /** Entries up to this one may be read a second time. */
  #readBefore = '0-0'
  /** How often the stream was read to its end. */
  reads = 0
  #isFollowing = false
  #isStopped = false
  #unasked = 0
  #invalid = 0
  #problem = ''

  constructor(client: QueueClient, run: string, books: PendingRows, on: Listeners) {
    this.#redis = client.again()
    this.#stream = keys.answers(run)
    this.#books = books
    this.#on = on
  }

  /** Reads the available entries. */
  async readAll(): Promise<void> {
    while (await this.#read());
  }

  /** Follows the stream until stopped. */
  async follow(): Promise<void> {
    this.#isFollowing = true
    while (!this.#isStopped) {
      try {
        // Answers come in small batches: reading them one by one would cost a command each.
        if (await this.#read()) await sleep(gatherFor)
      } catch (error) {
        if (this.#isStopped) return
        this.#on.trouble(describeProblem(error))
        await sleep(500)
      }
    }
  }

  /**
   * The stream's last entry. One before the last that had been read when it was requested means another stream, of a Redis that lost its
   * data or whose clock is behind: it is read from its beginning.
   */
  check(newest: string, lastRead: string): void {
    if (!isBefore(newest, lastRead)) return
    this.#readBefore = this.#last
    this.#last = '0-0'
  }

  /** The last entry that was read. */
  get last(): string {
    return this.#last
  }

  /** What was dropped, for the end of the run. */
  get remarks(): readonly string[] {
    const unasked = this.#unasked + this.#books.unclaimed
    return [
      ...(unasked > 0 ? [`${unasked} answers in the queue were dropped: no row was waiting for them`] : []),
      ...(this.#invalid > 0 ? [`${this.#invalid} invalid answers in the queue were dropped: ${this.#problem}`] : []),
    ]
  }

  stop(): void {
    this.#isStopped = true
    this.#redis.disconnect()
  }

  /** Returns whether there were entries. */
  async #read(): Promise<boolean> {
    const found = this.#isFollowing
      ? await this.#redis.xread('COUNT', mostEntries, 'BLOCK', blockFor, 'STREAMS', this.#stream, this.#last)
      : await this.#redis.xread('COUNT', mostEntries, 'STREAMS', this.#stream, this.#last)
    const entries = found?.[0]?.[1] ?? []
    for (const entry of entries) this.#take(entry)
    if (entries.length < mostEntries) this.reads++
    return entries.length > 0
  }

  #take([id, fields]: Entry): void {
    this.#last = id
    const { key = '', answer = '', split } = Object.fromEntries(pairs(fields)) as Partial<Record<string, string>>
    if (split !== undefined) this.#on.split(split)
    else {
      const sent = readAnswer(answer)
      const received = 'problem' in sent ? this.#books.invalid(key, sent.problem) : this.#books.answered(key, id, sent, !this.#isFollowing)
      if (received.is === 'taken' || received.is === 'early') return
      this.#drop(received, id)
    }
    void this.#redis.xdel(this.#stream, id).catch(() => undefined)
  }

  #drop(received: Extract<Received, { is: 'unasked' | 'invalid' }>, id: string): void {
    if (received.is === 'invalid') {
      this.#invalid++
      this.#problem ||= received.problem
      this.#on.trouble(`an invalid answer was removed from the queue: ${received.problem}`)
    } else if (isBefore(this.#readBefore, id)) {
      this.#unasked++
      this.#on.trouble('an answer that no row was waiting for was removed from the queue')
    }
  }
}

/** Compares ids of stream entries: milliseconds, and a number within them. */
function isBefore(one: string, other: string): boolean {
  const [[first = 0, second = 0], [third = 0, fourth = 0]] = [one, other].map((id) => id.split('-').map(Number)) as [number[], number[]]
  return first < third || (first === third && second < fourth)
}

function pairs(fields: readonly string[]): [string, string][] {
  const found: [string, string][] = []
  for (let index = 0; index + 1 < fields.length; index += 2) found.push([fields[index]!, fields[index + 1]!])
  return found
}
