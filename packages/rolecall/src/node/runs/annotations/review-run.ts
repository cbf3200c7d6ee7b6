import { PromptError } from '@rolecall/core/internal/errors'
import type { AnnotationLine } from '../../../evaluation/run/record/annotation.ts'
import { nameOf, type PairName } from '../../../evaluation/run/record/pair-name.ts'
import type { AnnotatedRow, Review } from '../../../evaluation/run/record/review.ts'
import type { RunPair, RunReader } from '../run-reader.ts'
import { annotatedRows, type ReviewedMetric, reviewPair } from './annotated-rows.ts'
import { AnnotationFile } from './annotation-file.ts'

/** The annotations of a model on a dataset: the metric they are compared with, counts, and the annotated rows. */
export type ReviewedPair = PairName & {
  metric: ReviewedMetric | undefined
  review: Review
  rows: readonly (AnnotationLine & AnnotatedRow)[]
}

/** The annotations of a run, and how far they agree with its scores. */
export function reviewRun(run: RunReader): { file: string; unreadable: number; pairs: ReviewedPair[] } {
  const file = new AnnotationFile(run.folder)
  const problem = file.readProblem()
  if (problem !== undefined) throw new PromptError('bad-annotations', { where: file.path, problem, fix: 'move it away' })
  const pairs = run.pairs.map((pair): ReviewedPair => {
    const records = pair.hasRecords ? pair.records() : undefined
    try {
      const metric = metricOf(pair)
      const rows = annotatedRows(file, pair, records)
      return { ...nameOf(pair), metric, review: reviewPair(rows, records, metric), rows }
    } finally {
      records?.close()
    }
  })
  return { file: file.path, unreadable: file.unreadable, pairs }
}

function metricOf(pair: RunPair): ReviewedMetric | undefined {
  const result = pair.result()
  if (!result) return pair.figure
  const { metric, kind, unit, direction, isMeanOfRows, value, rows } = result
  return {
    metric,
    kind,
    unit,
    direction,
    rows,
    ...(isMeanOfRows === false ? { isMeanOfRows } : {}),
    ...(value === undefined ? {} : { value }),
  }
}
