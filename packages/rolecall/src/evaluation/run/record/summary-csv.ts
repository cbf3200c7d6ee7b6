import type { ColumnMetric, GroupResult, PairResult, RunSummary, ShownMetric } from './run-record.ts'

type Cell = string | number | undefined

const columns: readonly [name: string, of: (result: PairResult) => Cell][] = [
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
  // The kind of line: the main metric of a dataset, a secondary one, one for the rows with a value in a column, or a group.
  ['figure', () => 'main'],
  ['direction', ({ direction }) => direction],
  ['answered', ({ answers }) => answers.answered],
  ['not_found', ({ answers }) => answers.notFound],
  ['cut_unread', ({ answers }) => answers.cut],
  ['refused', ({ answers }) => answers.refused],
  ['empty', ({ answers }) => answers.empty],
  ['not_decided', ({ answers }) => answers.notDecided],
  ['reasoning_set_apart', ({ reasoned = 0 }) => reasoned],
  ['weighted_by', () => undefined],
  ['by', () => undefined],
  ['of', () => undefined],
  ['cost', ({ costs }) => (costs?.length === 1 ? costs[0]!.amount : undefined)],
  ['currency', ({ costs }) => (costs?.length === 1 ? costs[0]!.currency : undefined)],
  ['tool_call', ({ answers }) => answers.toolCall ?? 0],
  ['replies_without_usage', ({ tokens }) => tokens.unreported ?? 0],
  ['no_gold', ({ answers }) => answers.noGold ?? 0],
  ['cut_share', ({ cut, rows }) => (rows === 0 ? undefined : cut / rows)],
  ['value_if_complete', ({ cut, value, complete }) => (cut === 0 ? value : complete?.value)],
]

/** A run's metrics for spreadsheets: a line per model and dataset, one per secondary metric, then one per group. */
export function summaryCsv({ results, groups = [] }: Pick<RunSummary, 'results' | 'groups'>): string {
  const lines = [
    columns.map(([name]) => name),
    ...results.flatMap((result) => [
      columns.map(([, of]) => csvCell(of(result))),
      ...(result.beside ?? []).map((figure) => lineOf(besideCells(result, figure))),
      ...(result.by ?? []).flatMap(({ column, figures }) => figures.map((figure) => lineOf(byCells(result, column, figure)))),
    ]),
    ...groups.map((group) => lineOf(groupCells(group))),
  ]
  return lines.map((line) => `${line.join(',')}\n`).join('')
}

/** Only the given cells; the others are empty. */
function lineOf(cells: Readonly<Record<string, Cell>>): string[] {
  return columns.map(([name]) => csvCell(cells[name]))
}

/** Secondary metrics are about the same rows, which are counted once. */
function besideCells({ model, format, dataset }: PairResult, { metric, unit, direction, value }: ShownMetric): Record<string, Cell> {
  return { model, format, dataset, metric, unit, value, direction, figure: 'beside' }
}

/** Metrics by column are about some of the rows, which the main line already counts. */
function byCells(result: PairResult, column: string, { of, rows, failed, answers, value, interval }: ColumnMetric): Record<string, Cell> {
  const { model, format, dataset, metric, unit, direction } = result
  const bounds = { low: interval?.low, high: interval?.high }
  const { answered, notFound: not_found, cut: cut_unread, refused, empty, notDecided: not_decided } = answers
  return {
    ...{ model, format, dataset, metric, unit, direction, value, ...bounds, rows, failed },
    ...{ answered, not_found, cut_unread, refused, empty, not_decided, figure: 'by', by: column, of },
  }
}

/** Groups have a value, and only the number of scored rows. */
function groupCells({ group, interval, weightedBy, scored, ...result }: GroupResult): Record<string, Cell> {
  const { model, format, unit, direction, value } = result
  const bounds = { low: interval?.low, high: interval?.high }
  return {
    ...{ model, format, dataset: group, metric: 'group', unit, direction, value, ...bounds },
    ...{ rows: scored, figure: 'group', weighted_by: weightedBy },
  }
}

/** A cell of a CSV file. */
export function csvCell(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  // A spreadsheet would read a text that begins with these characters as a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
