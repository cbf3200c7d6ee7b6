import { check, PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import { type AnnotationChange, changeAnnotation, type RowAnnotation } from '../../evaluation/run/record/annotation.ts'
import { nameOf } from '../../evaluation/run/record/pair-name.ts'
import type { Review } from '../../evaluation/run/record/review.ts'
import { annotatedRows, answerHash, reviewPair } from '../../node/runs/annotations/annotated-rows.ts'
import { AnnotationFile, annotationParts } from '../../node/runs/annotations/annotation-file.ts'
import type { OpenRun } from './open-run.ts'
import type { PageAnnotation, PairAnnotations } from './viewer-data.ts'

const changeSchema = z.strictObject({
  verdict: annotationParts.verdict.nullable().optional(),
  star: z.boolean().optional(),
  tags: annotationParts.tags.optional(),
  note: annotationParts.note.optional(),
  excluded: annotationParts.excluded.optional(),
})

/** The annotations of runs, read from and appended to their files. */
export class RunAnnotations {
  readonly #files = new WeakMap<OpenRun, AnnotationFile>()
  readonly #pairs = new WeakMap<OpenRun, Map<number, { stamp: string; annotations: PairAnnotations }>>()

  /** The annotations of a pair; cached until its rows or annotations change. */
  of(run: OpenRun, pair: number): PairAnnotations {
    const file = this.#fileOf(run)
    const name = run.info.pairs[pair]
    if (!name) throw noPair(run)
    const { records, metric } = run.scored(pair)
    const stamp = `${file.stamp} ${records?.stamp} ${metric?.value}`
    const known = this.#pairs.get(run)?.get(pair)
    if (known?.stamp === stamp) return known.annotations
    const rows = annotatedRows(file, name, records)
    const problem = file.problem()
    const annotations: PairAnnotations = {
      rows: rows.map(
        ({ row, at, isOutdated, ...line }): PageAnnotation => ({ row, at, ...partsOf(line), ...(isOutdated ? { isOutdated } : {}) }),
      ),
      review: reviewPair(rows, records, metric),
      ...(file.unreadable > 0 ? { unreadable: file.unreadable } : {}),
      ...(problem === undefined ? {} : { problem: `${file.path}: ${problem}` }),
    }
    this.#pairs.set(run, (this.#pairs.get(run) ?? new Map()).set(pair, { stamp, annotations }))
    return annotations
  }

  /** The review of each pair. */
  reviews(run: OpenRun): Review[] {
    return run.info.pairs.map((_, pair) => this.of(run, pair).review)
  }

  /** Changes what is noted on a row, and returns the annotations of its pair. */
  async change(run: OpenRun, pair: number, row: number, body: unknown): Promise<PairAnnotations> {
    const change = check(changeSchema, body, 'the annotation') as AnnotationChange
    const file = this.#fileOf(run)
    const name = run.info.pairs[pair]
    const record = run.scored(pair).records?.find(row)
    if (!name || !record) throw noPair(run)
    const before = file.of(name).get(row)
    await file.append({
      ...nameOf(name),
      at: new Date().toISOString(),
      row,
      row_hash: record.row_hash,
      // A note does not make a verdict on an earlier answer one on this answer.
      answer_hash: change.verdict === undefined && before?.verdict ? before.answer_hash : answerHash(record),
      ...changeAnnotation(before, change),
    })
    return this.of(run, pair)
  }

  #fileOf(run: OpenRun): AnnotationFile {
    const file = this.#files.get(run) ?? new AnnotationFile(run.folder)
    this.#files.set(run, file)
    return file
  }
}

function partsOf({ verdict, star, tags, note, excluded }: RowAnnotation): RowAnnotation {
  const present = Object.entries({ verdict, star, tags, note, excluded }).filter(([, part]) => part !== undefined)
  return Object.fromEntries(present) as RowAnnotation
}

function noPair(run: OpenRun): PromptError {
  return new PromptError('no-row', { where: run.folder, problem: 'this row does not exist', fix: 'reload the page' })
}
