import type { GroupResult, PairResult, RunSummary } from './run-record.ts'

const columns: readonly [name: string, of: (result: PairResult) => string | number | undefined][] = [
  ['model', ({ model }) => model],
  ['dataset', ({ dataset }) => dataset],
  ['metric', ({ metric }) => metric],
  ['unit', ({ unit }) => unit],
  ['value', ({ value }) => value],
  ['low', ({ interval }) => interval?.low],
  ['high', ({ interval }) => interval?.high],
  ['value_if_failed_are_wrong', ({ valueIfFailedAreWrong }) => valueIfFailedAreWrong],
  ['rows', ({ rows }) => rows],
  ['failed', ({ failed }) => failed],
  ['skipped', ({ skipped }) => skipped],
  ['cached', ({ cached = 0 }) => cached],
  ['cut', ({ cut }) => cut],
  ['examples_dropped', ({ examplesDropped }) => examplesDropped],
  ['prompt_tokens', ({ tokens }) => tokens.prompt],
  ['reply_tokens', ({ tokens }) => tokens.reply],
  ['seconds', ({ seconds }) => Math.round(seconds * 1000) / 1000],
  ['compat', ({ compat }) => compat],
  ['format', ({ format }) => format],
]

/** A run's figures for spreadsheets: a line for each model and dataset, then one for each model and group. */
export function summaryCsv({ results, groups = [] }: Pick<RunSummary, 'results' | 'groups'>): string {
  const lines = [
    columns.map(([name]) => name),
    ...results.map((result) => columns.map(([, of]) => cell(of(result)))),
    ...groups.map((group) => columns.map(([name]) => cell(groupCell(name, group)))),
  ]
  return lines.map((line) => `${line.join(',')}\n`).join('')
}

/** Groups have a figure, and no rows of their own. */
function groupCell(column: string, { model, format, group, unit, value, interval }: GroupResult): string | number | undefined {
  return { model, format, dataset: group, metric: 'group', unit, value, low: interval?.low, high: interval?.high }[column]
}

function cell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  // A spreadsheet would take a name that begins so for a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
