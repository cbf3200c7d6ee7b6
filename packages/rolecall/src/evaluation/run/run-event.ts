import type { Preparation } from '../dataset/retrieve/retriever.ts'
import type { Clusters } from '../score/statistics/mean-with-error.ts'
import type { Pair } from './plan-run.ts'
import type { RowsMetric } from './record/pair-tally.ts'
import type { PairResult, RowRecord, TokenUsage } from './record/run-record.ts'

/** What this part of the run spent on a row, where its record does not say so. */
export type SpentNow = {
  /** The tokens of the second attempt, if the first was recorded before. */
  tokens?: TokenUsage
  /** A judge was asked about a stored answer. */
  judged?: true
}

/** The events of a run, row by row. */
export type RunEvent =
  /** The progress of work before the first question of a pair: embedding or comparing rows of the example pool. */
  | ({ kind: 'prepare'; pair: Pair } & Preparation)
  /** `kept`: rows that an earlier part recorded and that are not sent again, as far as is known; their events come last. */
  | { kind: 'start'; pair: Pair; total?: number | undefined; kept?: number }
  /** `stored` and `cached` rows were not sent. */
  | ({
      kind: 'row'
      pair: Pair
      record: RowRecord
      done: number
      total?: number | undefined
      /** The rows of `start` that are still expected. */
      kept?: number
      from: 'model' | 'stored' | 'cached'
    } & SpentNow)
  | {
      kind: 'end'
      pair: Pair
      result: PairResult
      /** By row index, to compare runs row by row; NaN if there is none. */
      scores: Float64Array
      /** The basis of model comparisons, if it is not the mean of these scores. */
      compared?: RowsMetric | 'nothing' | undefined
      /** The group of each row, if rows are not independent. */
      clusters?: Clusters | undefined
      /** Rows that are in no store and may not be sent. */
      missing: number
    }
