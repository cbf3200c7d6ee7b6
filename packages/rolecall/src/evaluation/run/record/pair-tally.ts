import type { Note } from '@rolecall/core/internal/errors'
import { attempt, PromptError } from '@rolecall/core/internal/errors'
import { isList, pyStr } from '@rolecall/core/internal/python'
import { figuresOf } from '../../score/evaluate/evaluate-answers.ts'
import type { Evaluator, Figures, Program } from '../../score/evaluate/evaluator.ts'
import type { VerdictCounts } from '../../score/evaluate/judge-word.ts'
import { clusteredInterval, figureInterval, type Interval, meanInterval, wilsonInterval } from '../../score/statistics/interval.ts'
import type { Clusters } from '../../score/statistics/mean-with-error.ts'
import type { FigureOf } from '../../score/statistics/paired.ts'
import { addTokens, costOf, isAny, judgeTokensOf, noTokens, type Price } from './cost.ts'
import { countVerdicts } from './judge-verdicts.ts'
import { mainMetric, resampledBy } from './main-metric.ts'
import { NoteCounts, notesOfRow } from './note-counts.ts'
import { countOutcomes, noOutcomes, outcomesOf } from './outcome.ts'
import { clusterOf, isFailure } from './row-record.ts'
import { RowsByValue } from './rows-by-value.ts'
import type { ColumnMetric, Computed, PairResult, RowRecord, ShownMetric } from './run-record.ts'
import { WrongCalls } from './wrong-calls.ts'

/** A metric that is not the mean of the rows' scores, for any set of answered rows. */
export type RowsMetric = { has: (row: number) => boolean; of: FigureOf }

/** Token prices of a pair's model and of its judge. */
export type Prices = { model?: Price | undefined; judge?: Price | undefined }

/** The part of a pair's result that does not come from its rows. */
export type TallySubject = Pick<PairResult, 'model' | 'dataset' | 'compat' | 'baseline' | 'axes'>

/** `by`: the columns that metrics are grouped by; `cluster`: the one whose groups are not independent; `samples`: the answers per row. */
export type TallyOptions = { by?: readonly string[]; cluster?: string | undefined; samples?: number | undefined }

/**
 * Aggregates the rows of one model on one dataset; the result does not depend on their order of arrival. Keeps only
 * the score of a row and the value that the evaluator needs.
 */
export class PairTally {
  readonly #subject: TallySubject
  readonly #evaluator: Evaluator<unknown>
  /** By row index; NaN if there is none, which a score can also be. */
  #scores = new Float64Array(256).fill(Number.NaN)
  #isScored = new Uint8Array(256)
  readonly #kept: unknown[] = []
  readonly #tokens = noTokens()
  /** Only of rows that this run sent. */
  readonly #spent = noTokens()
  readonly #judgeTokens = noTokens()
  readonly #notes = new NoteCounts()
  #computed: Computed | undefined
  readonly #answers = noOutcomes()
  /** The number of rows with each outcome. */
  readonly #answerRows = noOutcomes()
  #allAnswers = 0
  #end = 0
  #rows = 0
  #failed = 0
  #unanswered = 0
  #cached = 0
  readonly #wrongCalls = new WrongCalls()
  readonly #verdicts: VerdictCounts = {}
  #reasoned = 0
  #dropped = 0

  /** Rows by their value in each column that metrics are grouped by. */
  readonly #by: readonly RowsByValue[]

  /** The column whose groups of rows are not independent, and its value by row index. */
  readonly #cluster: string | undefined
  readonly #clusters: unknown[] = []
  /** Rows whose reply ended at the token limit. */
  readonly #cutRows = new Set<number>()
  /** Rows with several answers, and those whose answers are all the same. */
  readonly #sampled = { rows: 0, identical: 0 }

  readonly #samples: number

  constructor(subject: TallySubject, evaluator: Evaluator<unknown>, { by = [], cluster, samples = 1 }: TallyOptions = {}) {
    this.#subject = subject
    this.#evaluator = evaluator
    this.#cluster = cluster
    this.#samples = samples
    this.#by = by.map((column) => new RowsByValue(column))
  }

  /** The basis of intervals and comparisons. */
  get #resampled(): 'kept' | 'scores' | 'none' {
    return resampledBy(this.#evaluator)
  }

  /** The number of rows so far. */
  get rows(): number {
    return this.#rows
  }

  /** By row index, to compare runs row by row; NaN if there is none. */
  get scores(): Float64Array {
    return this.#scores.subarray(0, this.#end)
  }

  /** The basis of model comparisons, if it is not the mean of their scores. */
  get compared(): RowsMetric | 'nothing' | undefined {
    const { metric, summarise } = this.#evaluator
    if (this.#resampled === 'scores') return undefined
    if (this.#resampled === 'none' || !summarise) return 'nothing'
    const kept = this.#kept
    return { has: (row) => row in kept, of: (rows) => attempt(() => summarise(rows.map((row) => kept[row]))[metric]) }
  }

  /** The group of each row, by index; undefined if rows are independent. */
  get clusters(): Clusters | undefined {
    return this.#cluster === undefined ? undefined : this.#clusters
  }

  add(record: RowRecord, keep?: unknown): void {
    const { id, score, error, tokens } = record
    this.#rows++
    if (score !== undefined) this.#setScore(id, score)
    // A row without a reply reveals nothing about the model: it is counted but not scored.
    if (isFailure(record)) this.#unanswered++
    const isUndecided = record.outcome === 'not-decided'
    if (error !== undefined || isUndecided) this.#failed++
    if (error === undefined && record.outcome !== 'no-gold' && this.#evaluator.summarise) this.#kept[id] = keep
    if (record.cached) this.#cached++
    if (hasReasoning(record)) this.#reasoned++
    const outcomes = outcomesOf(record)
    countOutcomes(this.#answers, outcomes)
    countOutcomes(this.#answerRows, new Set(outcomes))
    this.#allAnswers += outcomes.length
    for (const column of this.#by) column.add(record, outcomes)
    if (record.finish === 'length') this.#cutRows.add(id)
    if (this.#cluster !== undefined) this.#clusters[id] = clusterOf(record, this.#cluster)
    this.#countSamples(record)
    if (this.#evaluator.readsCalls) this.#wrongCalls.add(record)
    if (this.#evaluator.asks) countVerdicts(this.#verdicts, record)
    this.#dropped += record.examples.dropped
    addTokens(this.#tokens, tokens)
    if (!record.cached) addTokens(this.#spent, tokens)
    const judge = judgeTokensOf(record)
    if (judge) addTokens(this.#judgeTokens, judge)
    this.#notes.add(id, notesOfRow(record))
  }

  #countSamples({ prediction }: RowRecord): void {
    if (this.#samples < 2 || !isList(prediction)) return
    this.#sampled.rows++
    if (prediction.every((one) => pyStr(one) === pyStr(prediction[0]!))) this.#sampled.identical++
  }

  #costs({ model, judge }: Prices): Pick<PairResult, 'judgeTokens' | 'costs' | 'unpriced'> {
    const hasJudge = isAny(this.#judgeTokens)
    const asked = [
      { name: this.#subject.model, price: model, tokens: this.#spent },
      ...(hasJudge ? [{ name: `the judge of ${this.#subject.dataset}`, price: judge, tokens: this.#judgeTokens }] : []),
    ]
    const sums = new Map<string, number>()
    for (const { price, tokens } of asked) {
      if (!price || (tokens.unreported && tokens.prompt + tokens.reply === 0)) continue
      const { amount, currency } = costOf(tokens, price)
      sums.set(currency, (sums.get(currency) ?? 0) + amount)
    }
    const unpriced = asked.filter(({ price, tokens }) => !price || tokens.unreported).map(({ name }) => name)
    return {
      ...(hasJudge ? { judgeTokens: this.#judgeTokens } : {}),
      ...(sums.size > 0 ? { costs: [...sums].map(([currency, amount]) => ({ amount, currency })) } : {}),
      ...(unpriced.length > 0 ? { unpriced } : {}),
    }
  }

  /** Rows that are also in the example pool. */
  addOverlap(rows: number): void {
    const text = 'the row is also among the rows that examples are chosen from; it is not shown as its own example'
    this.#notes.set({ code: 'train-test-overlap', text }, rows)
  }

  /** The metric of the rows whose reply did not end at the token limit. */
  #complete(): Pick<PairResult, 'complete'> {
    if (this.#cutRows.size === 0) return {}
    const ids = Array.from({ length: Math.max(this.#end, this.#kept.length) }, (_, id) => id).filter((id) => !this.#cutRows.has(id))
    const { value, interval } = this.#figuresOfRows(ids)
    return {
      complete: { rows: this.#rows - this.#cutRows.size, ...(value === undefined ? {} : { value }), ...(interval ? { interval } : {}) },
    }
  }

  /** Flags numbers that say less than they seem to. */
  #flag({ low, high }: Interval = { low: 0, high: 1, method: 'wilson' }): void {
    const { rows, identical } = this.#sampled
    if (rows > 0 && identical === rows) {
      const text = `all ${this.#samples} answers to each row are the same: the temperature is 0, or the server ignores it, and ${this.#samples} answers say no more than one`
      this.#notes.set({ code: 'identical-samples', text }, rows)
    }
    if (low !== high) return
    const text = 'the interval has no width, since all rows have the same score: it says nothing about other rows'
    this.#notes.set({ code: 'zero-width-interval', text }, this.#rows)
  }

  /** The program that computes metrics over all rows, if there is one and it can be made. */
  get summaryProgram(): Program | undefined {
    const { summaryRuns } = this.#evaluator
    const kept = Object.values(this.#kept)
    return summaryRuns && kept.length > 0 ? attempt(() => summaryRuns(kept)) : undefined
  }

  /** Uses what that program computed. */
  use(computed: Computed | undefined): void {
    this.#computed = computed
  }

  result(seconds: number, skipped: { count: number; notes: readonly Note[] }, prices: Prices = {}): PairResult {
    const figures = this.#figures()
    this.#flag(figures.interval)
    return {
      ...this.#subject,
      ...mainMetric(this.#evaluator),
      ...figures,
      ...(this.#computed ? { computed: this.#computed } : {}),
      ...this.#figuresBy(),
      ...(this.#cluster === undefined ? {} : { cluster: this.#cluster }),
      rows: this.#rows,
      failed: this.#failed,
      answers: this.#answers,
      ...(this.#allAnswers > this.#rows ? { answerRows: this.#answerRows } : {}),
      ...(this.#reasoned > 0 ? { reasoned: this.#reasoned } : {}),
      ...(this.#unanswered < this.#failed ? { unanswered: this.#unanswered } : {}),
      ...(this.#cached > 0 ? { cached: this.#cached } : {}),
      skipped: skipped.count,
      tokens: this.#tokens,
      ...this.#costs(prices),
      ...(Object.keys(this.#verdicts).length > 0 ? { verdicts: this.#verdicts } : {}),
      ...this.#wrongCalls.result,
      cut: this.#cutRows.size,
      ...this.#complete(),
      examplesDropped: this.#dropped,
      seconds,
      notes: [
        ...this.#notes.list(),
        ...skipped.notes.map(({ code, text, where }) => ({
          code,
          text: where ? `${where}: ${text}` : text,
          rows: 1,
          ofPair: true as const,
        })),
      ],
    }
  }

  #setScore(id: number, score: number): void {
    if (id >= this.#scores.length) {
      const [scores, isScored] = [new Float64Array(2 * id).fill(Number.NaN), new Uint8Array(2 * id)]
      scores.set(this.#scores)
      isScored.set(this.#isScored)
      this.#scores = scores
      this.#isScored = isScored
    }
    this.#end = Math.max(this.#end, id + 1)
    this.#scores[id] = score
    this.#isScored[id] = 1
  }

  #figures(): Pick<PairResult, 'value' | 'valueIfFailedAreWrong' | 'interval' | 'figures' | 'beside'> {
    const { metric, kind, unit, direction, summarise, ofNothing } = this.#evaluator
    const scoredIds = Array.from({ length: this.#end }, (_, id) => id).filter((id) => this.#isScored[id] === 1)
    const scores = scoredIds.map((id) => this.#scores[id]!)
    const kept = summarise ? Object.values(this.#kept) : []
    const ids = this.#resampled === 'kept' ? Object.keys(this.#kept).map(Number) : scoredIds
    const isEmpty = (summarise ? kept : scores).length === 0
    if (isEmpty && !(ofNothing && this.#rows === 0)) return {}
    const figures = isEmpty ? { ...ofNothing } : this.#figuresOf(scores, kept)
    if (!figures) return {}
    // If a judge decided nothing there is no main metric, and the secondary ones show why.
    if (figures[metric] === undefined) return { figures, ...this.#beside(figures) }
    const interval = isEmpty ? undefined : this.#interval(scores, kept, ids)
    // If scores are resampled, the main metric is their mean, whatever other metrics there are.
    const isShare = unit === 'percent' && kind !== 'quantity' && direction !== 'lower' && this.#resampled === 'scores' && this.#failed > 0
    return {
      value: figures[metric],
      ...(isShare ? { valueIfFailedAreWrong: (figures[metric] * scores.length) / (scores.length + this.#failed) } : {}),
      ...(interval ? { interval } : {}),
      ...(Object.keys(figures).length > 1 ? { figures } : {}),
      ...this.#beside(figures),
    }
  }

  /** The same metric for the rows with each value of a column. */
  #figuresBy(): Pick<PairResult, 'by'> {
    if (this.#by.length === 0) return {}
    const by = this.#by.map((rows) => ({
      column: rows.column,
      figures: rows.list().map(({ ids, ...counts }): ColumnMetric => ({ ...counts, rows: ids.length, ...this.#figuresOfRows(ids) })),
    }))
    return { by }
  }

  #figuresOfRows(ids: readonly number[]): Pick<ColumnMetric, 'value' | 'interval' | 'beside'> {
    const { metric, summarise } = this.#evaluator
    const scoredIds = ids.filter((id) => this.#isScored[id] === 1)
    const scores = scoredIds.map((id) => this.#scores[id]!)
    const kept = summarise ? ids.filter((id) => id in this.#kept).map((id) => this.#kept[id]) : []
    if ((summarise ? kept : scores).length === 0) return {}
    const figures = attempt(() => figuresOf(this.#evaluator, scores, kept))
    if (!figures) return {}
    if (figures[metric] === undefined) return this.#beside(figures)
    // Resampling kept values for each column value may take longer than the run; resampling scores is fast.
    const interval = this.#resampled === 'scores' ? this.#interval(scores, kept, scoredIds) : undefined
    return { value: figures[metric], ...(interval ? { interval } : {}), ...this.#beside(figures) }
  }

  #beside(figures: Figures): Pick<PairResult, 'beside'> {
    const { beside = [], besideIn } = this.#evaluator
    const shown = [...beside, ...(besideIn?.(figures) ?? [])].flatMap(({ metric, unit, direction = 'higher' }): ShownMetric[] => {
      const value = figures[metric]
      return value === undefined ? [] : [{ metric, unit, direction, value }]
    })
    return shown.length > 0 ? { beside: shown } : {}
  }

  /** Undefined if it cannot be computed, e.g. for a single class: the rows are still counted, and a note gives the reason. */
  #figuresOf(scores: readonly number[], kept: readonly unknown[]): Figures | undefined {
    try {
      return figuresOf(this.#evaluator, scores, kept, this.#computed?.said)
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      const { metric } = this.#evaluator
      this.#notes.set({ code: 'no-metric', text: `there is no ${metric}; ${error.message}` }, this.#rows)
      return undefined
    }
  }

  #interval(scores: readonly number[], kept: readonly unknown[], ids: readonly number[]): Interval | undefined {
    const { metric, unit, summarise } = this.#evaluator
    if (this.#resampled === 'none') return undefined
    const clusters = this.#cluster === undefined ? undefined : ids.map((id) => this.#clusters[id])
    if (this.#resampled === 'kept') return figureInterval(kept, (rows) => attempt(() => summarise!(rows)[metric]), 0, clusters)
    if (unit !== 'percent') {
      if (!scores.every(Number.isFinite)) return undefined
      return clusters ? clusteredInterval(scores, clusters) : meanInterval(scores)
    }
    const isShare = scores.every((score) => score === 0 || score === 1)
    const right = scores.filter((score) => score === 1).length
    const found = clusters ? clusteredInterval(scores, clusters) : isShare ? wilsonInterval(right, scores.length) : meanInterval(scores)
    // Half of a clustered interval may reach beyond what a share can be.
    return found && { ...found, low: 100 * Math.max(0, found.low), high: 100 * Math.min(1, found.high) }
  }
}

function hasReasoning({ reasoning }: RowRecord): boolean {
  return isList(reasoning) ? reasoning.some((one) => one !== '') : reasoning !== undefined && reasoning !== ''
}
