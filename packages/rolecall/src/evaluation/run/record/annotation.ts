import type { PairName } from './pair-name.ts'

/** A reviewer's verdict on an answer; `unclear` if it can be called neither right nor wrong. */
export const reviewVerdicts = ['right', 'wrong', 'unclear'] as const
export type ReviewVerdict = (typeof reviewVerdicts)[number]

/** What a reviewer noted on a row. A row with a verdict is reviewed. */
export type RowAnnotation = {
  verdict?: ReviewVerdict
  star?: true
  /** Without duplicates. */
  tags?: readonly string[]
  note?: string
  /** Why the row counts in no score, interval or test: a wrong gold answer, a duplicate. */
  excluded?: string
}

/** A line of `annotations.jsonl`: everything noted on a row at a time. The last line of a row wins; one without notes removes them. */
export type AnnotationLine = PairName & {
  version: 1
  /** When it was written, in ISO 8601. */
  at: string
  /** The row's `id` in the records. */
  row: number
  /** The row's `row_hash` in the records: annotations of equal rows can be found in other runs. */
  row_hash: string
  /** A hash of the answer that was reviewed: another answer of the same row needs another review. */
  answer_hash: string
} & RowAnnotation

/** Changes to an annotation; absent parts stay as they are. */
export type AnnotationChange = {
  verdict?: ReviewVerdict | null
  star?: boolean
  tags?: readonly string[]
  note?: string
  /** Empty: the row counts again. */
  excluded?: string
}

/** Applies changes; empty parts are omitted. */
export function changeAnnotation(before: RowAnnotation | undefined, change: AnnotationChange): RowAnnotation {
  const { verdict = before?.verdict, star = before?.star, tags = before?.tags ?? [], note = before?.note ?? '' } = change
  const { excluded = before?.excluded ?? '' } = change
  const distinct = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
  return {
    ...(verdict ? { verdict } : {}),
    ...(star ? { star } : {}),
    ...(distinct.length > 0 ? { tags: distinct } : {}),
    ...(note.trim() === '' ? {} : { note }),
    ...(excluded.trim() === '' ? {} : { excluded: excluded.trim() }),
  }
}

/** Whether nothing is noted. */
export function isBlank({ verdict, star, tags, note, excluded }: RowAnnotation): boolean {
  return [verdict, star, tags, note, excluded].every((part) => part === undefined)
}
