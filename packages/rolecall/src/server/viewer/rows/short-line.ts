import { readingOf } from '../../../evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { shortAnswer, shortText } from '../short-text.ts'
import type { RecordLine } from '../viewer-data.ts'

const maxPreview = 120

/** A row for a list: the first characters of its texts. */
export function shortLine(record: RowRecord, asked: string | undefined): RecordLine {
  const { id, gold, score, outcome, error, finish, tokens, milliseconds, cached } = record
  const reading = readingOf(record)
  return {
    id,
    prediction: shortAnswer(record).slice(0, maxPreview),
    ...(reading === undefined ? {} : { reading: shortText(reading).slice(0, maxPreview) }),
    ...(gold === undefined ? {} : { gold: shortText(gold).slice(0, maxPreview) }),
    ...(Number.isFinite(score) ? { score } : {}),
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error: error.slice(0, maxPreview) }),
    finish,
    asked,
    tokens: tokens.prompt + tokens.reply,
    ...(cached ? {} : { milliseconds }),
  }
}
