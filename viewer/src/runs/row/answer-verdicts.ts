import { dictGet, isDict, isList, type PyValue } from '../../../../src/base/python/index.ts'
import { type Outcome, outcomesOf } from '../../../../src/evaluation/run/record/outcome.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'

/** One of several answers of a row: its outcome, 1 or 0 if the run recorded whether it is right, and what was extracted. */
export type AnswerVerdict = { outcome: Outcome; score: number | undefined; reading: PyValue | undefined }

/** The verdict on each of a row's answers; none for rows with one answer, whose verdict is that of the row. */
export function answerVerdicts(record: Pick<RowRecord, 'outcome' | 'error' | 'prediction' | 'details'>): AnswerVerdict[] {
  const samples = record.details?.samples
  if (!isList(samples)) return []
  const outcomes = outcomesOf(record)
  return samples.map((sample, index) => {
    const of = (name: string) => (isDict(sample) ? dictGet(sample, name) : undefined)
    const correct = of('correct')
    return {
      outcome: outcomes[index] ?? 'answered',
      score: typeof correct === 'boolean' ? Number(correct) : undefined,
      reading: of('pred') ?? undefined,
    }
  })
}
