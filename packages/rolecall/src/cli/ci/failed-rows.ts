import { InvalidArgumentError } from 'commander'
import { pairText } from '../../evaluation/run/record/pair-name.ts'
import type { RunSummary } from '../../evaluation/run/record/run-record.ts'
import { exitCodes } from '../exit-codes.ts'
import type { JsonFailure } from '../print-json.ts'

/** How many rows of a run may fail: `1%` of all, or `20`. */
export type AllowedFailures = { text: string; of(rows: number): number }

/** The value of `--allow-failed`. */
export function readAllowedFailures(text: string): AllowedFailures {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%)?$/.exec(text.trim()) ?? []
  const value = Number(number)
  const isRight = percent === undefined ? Number.isSafeInteger(value) : value <= 100
  if (number === undefined || !isRight) throw new InvalidArgumentError('expected a share such as 1%, or a number of rows such as 20')
  return { text: text.trim(), of: (rows) => (percent === undefined ? value : Math.floor((rows * value) / 100)) }
}

/** What counts of a summary: how many rows each model has of each dataset, and how many failed. */
export type RowCounts = { results: readonly Pick<RunSummary['results'][number], 'model' | 'dataset' | 'rows' | 'failed'>[] }

/** What a run's failed rows mean, `within` if they are allowed. A model without an answer to any row of a dataset is never allowed. */
export function judgeFailedRows({ results }: RowCounts, allowed?: AllowedFailures): { failure?: JsonFailure; within?: string } {
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  if (failed === 0) return {}
  const rows = results.reduce((sum, result) => sum + result.rows, 0)
  const whole = results.find((result) => result.rows > 0 && result.failed === result.rows)
  const problem = `${failed} of ${rows} rows have no answer or no score`
  if (allowed && failed <= allowed.of(rows) && !whole) return { within: `${problem}, which --allow-failed ${allowed.text} allows` }
  const more = !allowed
    ? ''
    : whole
      ? `; --allow-failed never allows all of a dataset (${pairText(whole)})`
      : `; --allow-failed allows ${allowed.of(rows)}`
  const fix =
    'see `error` in the records of predictions/; `rolecall run -r --retry-errors` tries them again, --allow-failed 1% accepts some'
  return { failure: { code: 'failed-rows', problem: `${problem}${more}`, fix, exit_code: exitCodes['rows-failed'].code } }
}
