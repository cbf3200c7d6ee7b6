import type { Note } from '../note.ts'
import { PromptError } from '../prompt-error.ts'
import { figuresOf } from '../score/evaluate/evaluate-answers.ts'
import type { Evaluator } from '../score/evaluate/evaluator.ts'
import { figureInterval, type Interval, meanInterval, wilsonInterval } from '../score/statistics/interval.ts'
import type { PairResult, RowRecord } from './run-record.ts'

/** What a pair's result says besides what its rows add up to. */
export type TallySubject = Pick<PairResult, 'model' | 'dataset' | 'compat'>

/** Notes about single rows may all differ; these are enough to see what is wrong. */
const notesKept = 100

/** Adds up the rows of one model on one dataset. */
export class Tally {
  readonly #subject: TallySubject
  readonly #evaluator: Evaluator<unknown>
  /** A number for each row that counts; what a summary needs is kept only where there is one. */
  readonly #scores: number[] = []
  readonly #kept: unknown[] = []
  readonly #tokens = { prompt: 0, reused: 0, reply: 0 }
  readonly #notes = new Map<string, PairResult['notes'][number]>()
  #rows = 0
  #failed = 0
  #cut = 0
  #dropped = 0

  constructor(subject: TallySubject, evaluator: Evaluator<unknown>) {
    this.#subject = subject
    this.#evaluator = evaluator
  }

  add(record: RowRecord, notes: readonly Note[], keep?: unknown): void {
    this.#rows++
    // A row that could not be asked counts as wrong, and is left out of a mean.
    if (record.score !== undefined) this.#scores.push(record.score)
    if (this.#evaluator.summarise && record.error === undefined) this.#kept.push(keep)
    if (record.error !== undefined) this.#failed++
    if (record.finish === 'length') this.#cut++
    this.#dropped += record.examples.dropped
    for (const key of ['prompt', 'reused', 'reply'] as const) this.#tokens[key] += record.tokens[key]
    const said = record.error === undefined ? notes : [...notes, { code: 'failed', text: record.error }]
    for (const text of new Set(said.map((note) => note.text))) this.#note(said.find((note) => note.text === text)!)
  }

  /** Rows that are also among those that examples are chosen from. */
  addOverlap(rows: number): void {
    if (rows === 0) return
    const text = 'the row is also among the rows that examples are chosen from; it is not shown as its own example'
    this.#notes.set(text, { code: 'train-test-overlap', text, rows })
  }

  #note({ code, text }: Note): void {
    const known = this.#notes.get(text)
    if (known) known.rows++
    else if (this.#notes.size < notesKept) this.#notes.set(text, { code, text, rows: 1 })
  }

  result(seconds: number, skipped: { count: number; notes: readonly Note[] }): PairResult {
    const { metric, unit } = this.#evaluator
    return {
      ...this.#subject,
      metric,
      unit,
      ...this.#figures(),
      rows: this.#rows,
      failed: this.#failed,
      skipped: skipped.count,
      tokens: this.#tokens,
      cut: this.#cut,
      examplesDropped: this.#dropped,
      seconds,
      notes: [
        ...this.#notes.values(),
        ...skipped.notes.map(({ code, text, where }) => ({ code, text: where ? `${where}: ${text}` : text, rows: 1 })),
      ],
    }
  }

  #figures(): Pick<PairResult, 'value' | 'interval' | 'figures'> {
    const { metric, summarise } = this.#evaluator
    if ((summarise ? this.#kept : this.#scores).length === 0) return {}
    const figures = figuresOf(this.#evaluator, this.#scores, this.#kept)
    const interval = this.#interval()
    return {
      value: figures[metric]!,
      ...(interval ? { interval } : {}),
      ...(Object.keys(figures).length > 1 ? { figures } : {}),
    }
  }

  #interval(): Interval | undefined {
    const { metric, unit, summarise, interval = summarise ? 'kept' : 'scores' } = this.#evaluator
    if (interval === 'none') return undefined
    if (interval === 'kept') return figureInterval(this.#kept, (rows) => attempt(() => summarise!(rows)[metric]))
    const scores = this.#scores
    if (unit === 'mean') return scores.every(Number.isFinite) ? meanInterval(scores) : undefined
    const isShare = scores.every((score) => score === 0 || score === 1)
    const found = isShare ? wilsonInterval(scores.filter((score) => score === 1).length, scores.length) : meanInterval(scores)
    return { ...found, low: 100 * found.low, high: 100 * found.high }
  }
}

/** A resample may lack what the figure needs, e.g. one of two classes. */
function attempt(figure: () => number | undefined): number | undefined {
  try {
    return figure()
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
