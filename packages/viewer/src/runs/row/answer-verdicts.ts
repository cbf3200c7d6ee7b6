import { dictGet, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { type Outcome, outcomesOf } from 'rolecall/internal/evaluation/run/record/outcome'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'

/** One of several answers of a row, or a turn of a chat: its outcome, 1 or 0 if the run recorded whether it is right, what was extracted, and why it is wrong. */
export type AnswerVerdict = { outcome: Outcome; score: number | undefined; reading: PyValue | undefined; reason?: string }

/** The verdict on each of a row's answers or turns; none for rows with one answer, whose verdict is that of the row. */
export function answerVerdicts(record: Pick<RowRecord, 'outcome' | 'error' | 'prediction' | 'details'>): AnswerVerdict[] {
  const { samples, turns } = record.details ?? {}
  const each = isList(samples) ? samples : isList(turns) ? turns : []
  const outcomes = outcomesOf(record)
  return each.map((sample, index) => {
    const of = (name: string) => (isDict(sample) ? dictGet(sample, name) : undefined)
    const [correct, reason] = [of('correct'), of('reason')]
    return {
      outcome: outcomes[index] ?? 'answered',
      score: typeof correct === 'boolean' ? Number(correct) : undefined,
      reading: of('pred') ?? undefined,
      ...(typeof reason === 'string' ? { reason } : {}),
    }
  })
}
