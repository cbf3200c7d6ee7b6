import { type PyValue, pyStr } from '@rolecall/core/internal/python'
import { countOutcomes, noOutcomes, type Outcome, type OutcomeCounts } from './outcome.ts'
import type { RowRecord } from './run-record.ts'

/** The rows with one value of a column. */
type ValueRows = { of: string; ids: number[]; failed: number; answers: OutcomeCounts }

/** Rows by their value in a column that metrics are grouped by. */
export class RowsByValue {
  readonly column: string
  readonly #values = new Map<string, ValueRows & { first: number }>()

  constructor(column: string) {
    this.column = column
  }

  add(record: RowRecord, outcomes: readonly Outcome[]): void {
    const of = columnText(record.columns?.[this.column])
    const known = this.#values.get(of) ?? { of, first: record.id, ids: [], failed: 0, answers: noOutcomes() }
    if (known.ids.length === 0) this.#values.set(of, known)
    known.ids.push(record.id)
    known.first = Math.min(known.first, record.id)
    if (record.error !== undefined || record.outcome === 'not-decided') known.failed++
    countOutcomes(known.answers, outcomes)
  }

  /** Rows arrive in completion order: values are listed in row order. */
  list(): ValueRows[] {
    const inOrder = [...this.#values.values()].sort((one, other) => one.first - other.first)
    return inOrder.map(({ first: _, ...rows }) => rows)
  }
}

/** The value for rows without the column. */
const noValue = '(none)'

/** The value of a column as text. */
export function columnText(value: PyValue | undefined): string {
  return value === undefined || value === null ? noValue : pyStr(value)
}
