import { createHash } from 'node:crypto'
import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { AnnotationLine } from '../../../evaluation/run/record/annotation.ts'
import type { MainMetric } from '../../../evaluation/run/record/main-metric.ts'
import type { PairName } from '../../../evaluation/run/record/pair-name.ts'
import { type AnnotatedRow, type Review, reviewOf } from '../../../evaluation/run/record/review.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import type { Records } from '../records/records.ts'
import type { AnnotationFile } from './annotation-file.ts'

/** Identifies the answer that a reviewer saw. */
export function answerHash({ prediction }: Pick<RowRecord, 'prediction'>): string {
  return createHash('sha256')
    .update(stringifyJson(prediction as PyValue, { ensureAscii: false }))
    .digest('hex')
    .slice(0, 32)
}

/** The annotations of a pair in the order of its rows, each with the row's present score. */
export function annotatedRows(file: AnnotationFile, pair: PairName, records: Records | undefined): (AnnotationLine & AnnotatedRow)[] {
  return [...file.of(pair).values()]
    .sort((one, other) => one.row - other.row)
    .map((line) => {
      const record = records?.find(line.row)
      // A row without an answer now has no present answer that was reviewed, either.
      return { ...line, score: record?.score, isOutdated: !record || answerHash(record) !== line.answer_hash }
    })
}

/** The meaning of the scores; its value, and the number of rows behind it, if the run has finished. */
export type ReviewedMetric = MainMetric & { value?: number; rows?: number }

/** Counts annotations, and compares the reviewer's verdicts with the scores. */
export function reviewPair(rows: readonly AnnotatedRow[], records: Records | undefined, metric: ReviewedMetric | undefined): Review {
  let scored = 0
  for (let place = 0; rows.length > 0 && place < (records?.count ?? 0); place++) if (records!.outline(place).score !== undefined) scored++
  // A value over other rows than these cannot be corrected.
  return reviewOf(rows, metric && { ...metric, scored: metric.rows === records?.count ? scored : 0 })
}
