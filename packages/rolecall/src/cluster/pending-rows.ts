import { PromptError } from '@rolecall/core/internal/errors'
import type { OnTokens } from '../evaluation/run/ask/ask-model.ts'
import type { Pair } from '../evaluation/run/plan-run.ts'
import type { RowAnswer } from '../evaluation/run/record/run-record.ts'
import type { AnswerCheck, RowTask } from '../evaluation/run/run-types.ts'
import type { SentAnswer } from './pack-answer.ts'

/** An awaited row, with everything needed to enqueue it again. */
export type PendingRow = { pair: Pair; task: RowTask }

type Waiting = PendingRow & { check: AnswerCheck; settle: ((sent: SentAnswer | undefined) => void)[]; fail: ((error: unknown) => void)[] }

/** What became of an answer: a row takes it, it is kept for a row to come, or it is dropped, and why. */
export type Received = { is: 'taken' } | { is: 'early' } | { is: 'unasked' } | { is: 'invalid'; problem: string }

/** A row fails after invalid answers of this many jobs, instead of being sent again and again. */
const mostInvalid = 3

/** `missingSince`: how often the answers had been read to their end when the job was found missing. */
type KnownJob = { queue: string; keys: Set<string>; missingSince?: number | undefined }

/**
 * The coordinator's state: awaited rows, the job of each, the answers received, and which of those are
 * recorded. It only holds rows in flight, so it does not grow with the dataset.
 */
export class PendingRows {
  readonly #waiting = new Map<string, Waiting>()
  readonly #jobs = new Map<string, KnownJob>()
  readonly #jobOf = new Map<string, string>()
  readonly #rowsIn = new Map<string, number>()
  readonly #answeredIn = new Map<string, number>()
  /** Answers that arrived before their rows were requested: from before this coordinator started. */
  readonly #early = new Map<string, SentAnswer>()
  /** Stream entries by the keys they answer, until those are recorded. */
  readonly #entries = new Map<string, string[]>()
  /** The jobs that gave invalid answers, per awaited row. */
  readonly #invalid = new Map<string, Set<string | undefined>>()
  /** The keys of second attempts by that of the first: the row is recorded under the first. */
  readonly #retries = new Map<string, string[]>()
  #invalidEarly = 0
  #recorded: string[] = []

  /** Number of awaited rows. */
  get rows(): number {
    return this.#waiting.size
  }

  /** The pairs of the awaited rows. */
  get pairs(): ReadonlySet<Pair> {
    const pairs = new Set<Pair>()
    for (const { pair } of this.#waiting.values()) pairs.add(pair)
    return pairs
  }

  /** The jobs with unanswered rows. */
  get jobs(): readonly { id: string; queue: string }[] {
    return [...this.#jobs].map(([id, { queue }]) => ({ id, queue }))
  }

  /** Waits for a row's answer. `isNew`: the row is in no job yet and must be enqueued. Rows with the same request share an answer. */
  ask(pair: Pair, task: RowTask, check: AnswerCheck, onTokens?: OnTokens): { answer: Promise<RowAnswer | undefined>; isNew: boolean } {
    const { key, retry } = task
    if (retry) this.#retries.set(retry.of, [...(this.#retries.get(retry.of) ?? []), key])
    const early = this.#early.get(key)
    if (early) {
      this.#early.delete(key)
      if ('error' in early) {
        if (early.tokens) onTokens?.(early.tokens)
        return { answer: Promise.reject(early.error), isNew: false }
      }
      if (check(early.answer) === undefined) return { answer: Promise.resolve(early.answer), isNew: false }
      this.#invalidEarly++
      this.#release(key)
    }
    const known = this.#waiting.get(key)
    const row: Waiting = known ?? { pair, task, check, settle: [], fail: [] }
    const answer = new Promise<RowAnswer | undefined>((resolve, reject) => {
      row.settle.push((sent) => {
        if (!sent || 'answer' in sent) return resolve(sent?.answer)
        // Rows with the same request were paid for once.
        if (sent.tokens && !known) onTokens?.(sent.tokens)
        reject(sent.error)
      })
      row.fail.push(reject)
    })
    this.#waiting.set(key, row)
    return { answer, isNew: !known && !this.#jobOf.has(key) }
  }

  /** The number of unanswered rows in the jobs of a queue. */
  rowsIn(queue: string): number {
    return this.#rowsIn.get(queue) ?? 0
  }

  /** The number of rows of a queue that were answered so far. */
  answeredIn(queue: string): number {
    return this.#answeredIn.get(queue) ?? 0
  }

  #count(queue: string, rows: number): void {
    this.#rowsIn.set(queue, this.rowsIn(queue) + rows)
  }

  /** These rows are in a job of this or an earlier coordinator. */
  enqueued(job: string, queue: string, keys: readonly string[]): void {
    this.#jobs.set(job, { queue, keys: new Set(keys) })
    this.#count(queue, keys.length)
    for (const key of keys) this.#jobOf.set(key, job)
  }

  /**
   * An answer arrived as an entry of the stream. Only answers from before this coordinator (`isEarly`), and those of jobs that it found,
   * may arrive before their row is requested. An invalid answer leaves its row waiting.
   */
  answered(key: string, entry: string, sent: SentAnswer, isEarly = false): Received {
    const row = this.#waiting.get(key)
    const entries = this.#entries.get(key)
    if (entries) {
      // A copy, or an entry that is read again.
      if (!entries.includes(entry)) entries.push(entry)
      return { is: 'taken' }
    }
    if (!row && !isEarly && !this.#jobOf.has(key)) return { is: 'unasked' }
    const problem = row && 'answer' in sent ? row.check(sent.answer) : undefined
    if (problem !== undefined) return this.invalid(key, problem)
    this.#entries.set(key, [entry])
    this.#leaveJob(key)
    if (!row) {
      this.#early.set(key, sent)
      return { is: 'early' }
    }
    this.#waiting.delete(key)
    this.#invalid.delete(key)
    for (const settle of row.settle) settle(sent)
    return { is: 'taken' }
  }

  /**
   * An answer to this row is invalid: the row keeps waiting. If no other comes, its job is found missing, and the row is sent again,
   * until `mostInvalid` jobs have given invalid answers. A job counts once, however many invalid answers a stranger writes meanwhile.
   */
  invalid(key: string, problem: string): Received {
    const row = this.#waiting.get(key)
    const job = this.#jobOf.get(key)
    const jobs = this.#invalid.get(key) ?? new Set()
    if (row) this.#invalid.set(key, jobs.add(job))
    if (row && jobs.size >= mostInvalid) {
      this.#waiting.delete(key)
      this.#invalid.delete(key)
      this.#leaveJob(key)
      for (const settle of row.settle) settle({ error: invalidAnswerError(row.task.id, problem) })
    }
    return { is: 'invalid', problem }
  }

  /** Answers from before this coordinator that no row took: they answer no row of the run, or they are invalid. */
  get unclaimed(): number {
    return this.#early.size + this.#invalidEarly
  }

  /** The row with this key was appended to its file, which need not be synced yet. */
  recorded(key: string): void {
    const retries = this.#retries.get(key) ?? []
    this.#retries.delete(key)
    for (const one of [key, ...retries]) this.#release(one)
  }

  #release(key: string): void {
    const entries = this.#entries.get(key)
    if (!entries) return
    this.#entries.delete(key)
    this.#early.delete(key)
    for (const entry of entries) this.#recorded.push(entry)
  }

  /** The entries recorded since the last call: they may be removed once the files are synced. */
  takeRecorded(): string[] {
    const taken = this.#recorded
    this.#recorded = []
    return taken
  }

  /**
   * Whether a job exists, after so many reads of the answers to their end. A missing job is lost after two more of them, of which the second
   * began after it was missing: its last answers may still be on their way, however long this process was busy.
   */
  seen(job: string, isThere: boolean, reads: number): PendingRow[] {
    const known = this.#jobs.get(job)
    if (!known) return []
    if (!isThere && known.missingSince !== undefined && reads - known.missingSince >= 2) return this.lost(job)
    known.missingSince = isThere ? undefined : (known.missingSince ?? reads)
    return []
  }

  /** A job is gone or was split: returns its awaited rows, to enqueue again. */
  lost(job: string): PendingRow[] {
    const known = this.#jobs.get(job)
    if (!known) return []
    this.#jobs.delete(job)
    this.#count(known.queue, -known.keys.size)
    return [...known.keys].flatMap((key) => {
      this.#jobOf.delete(key)
      return this.#waiting.get(key) ?? []
    })
  }

  /** Stops waiting for these rows, or all: they have no answer, and a resumed run may send them. */
  leave(keys: Iterable<string> = [...this.#waiting.keys()]): void {
    for (const key of keys) {
      const row = this.#waiting.get(key)
      this.#waiting.delete(key)
      for (const settle of row?.settle ?? []) settle(undefined)
    }
  }

  /** Fails all awaited rows. */
  giveUp(error: unknown): void {
    for (const { fail } of this.#waiting.values()) for (const reject of fail) reject(error)
    this.#waiting.clear()
  }

  #leaveJob(key: string): void {
    const id = this.#jobOf.get(key)
    if (id === undefined) return
    this.#jobOf.delete(key)
    const job = this.#jobs.get(id)
    if (!job?.keys.delete(key)) return
    this.#count(job.queue, -1)
    this.#answeredIn.set(job.queue, this.answeredIn(job.queue) + 1)
    if (job.keys.size === 0) this.#jobs.delete(id)
  }
}

/** Groups rows by pair. */
export function byPair(rows: readonly PendingRow[]): Map<Pair, PendingRow[]> {
  const groups = new Map<Pair, PendingRow[]>()
  for (const row of rows) {
    const group = groups.get(row.pair)
    if (group) group.push(row)
    else groups.set(row.pair, [row])
  }
  return groups
}

function invalidAnswerError(id: number, problem: string): PromptError {
  return new PromptError('invalid-answer', {
    where: `row ${id}`,
    problem: `${mostInvalid} jobs gave answers that cannot be its answer: ${problem}`,
    fix: 'see which program writes to the queue; `-r --retry-errors` retries the row',
  })
}

/** The error of a row that crashed every worker that took it. */
export function poisonRowError(id: number, deaths: number): PromptError {
  return new PromptError('deadly-row', {
    where: `row ${id}`,
    problem: `${deaths} workers have died while processing this row alone`,
    fix: 'run it with `rolecall run` to see why (perhaps memory); `-r --retry-errors` retries it',
  })
}
