import { attempt } from '@rolecall/core/internal/errors'
import { isList, pyStr } from '@rolecall/core/internal/python'
import { readingOf } from '../../evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import { extractedAt } from '../../evaluation/score/postprocess/extracted-at.ts'
import { readerOfAll } from '../../evaluation/score/postprocess/postprocessors.ts'

type Postprocessors = Parameters<typeof readerOfAll>[0][number]['config']

/** Where the postprocessors of a config found the answers of a row; null where they do not give the recorded answer. */
export function extractedPlaces(record: RowRecord, configs: readonly unknown[]): ([start: number, end: number] | null)[] {
  const { prediction } = record
  const reading = readingOf(record)
  const answers = isList(prediction) ? prediction : [prediction]
  const readings = isList(prediction) && isList(reading) ? reading : [reading]
  const read = attempt(() => readerOfAll(configs.map((config) => ({ config: config as Postprocessors, where: 'pred_postprocessor' }))))
  return answers.map((answer, index) => {
    const extracted = readings[index]
    if (!read || typeof answer !== 'string' || extracted === undefined || extracted === null) return null
    return attempt(() => extractedAt(answer, pyStr(extracted), read)) ?? null
  })
}
