import { distinctModels, isSamePair, type ModelName, modelText } from './pair-name.ts'
import type { ColumnMetric, PairResult } from './run-record.ts'
import { metricLabel, showInterval, showValue } from './show-metric.ts'

/** A table of metrics by the values of a column: a heading, then a line for each value. */
export type ColumnMetricTable = { title: string; table: string[][] }

/** For each dataset and column: the rows of each value, and each model's metric with the number of unreadable answers. */
export function columnMetricTables(results: readonly PairResult[]): ColumnMetricTable[] {
  const datasets = [...new Set(results.map(({ dataset }) => dataset))]
  return datasets.flatMap((dataset) => {
    const own = results.filter((result) => result.dataset === dataset)
    const columns = [...new Set(own.flatMap(({ by = [] }) => by.map(({ column }) => column)))]
    return columns.map((column) => ({ title: `${dataset} by ${column}: ${metricLabel(own[0]!)}`, table: tableOf(own, column) }))
  })
}

function tableOf(results: readonly PairResult[], column: string): string[][] {
  const models = distinctModels(results)
  const figuresOf = (model: ModelName) =>
    results.find((result) => isSamePair(result, { ...model, dataset: result.dataset }))?.by?.find((one) => one.column === column)
      ?.figures ?? []
  const values = [
    ...new Set(
      results.flatMap(({ by = [] }) => by.filter((one) => one.column === column)).flatMap(({ figures }) => figures.map(({ of }) => of)),
    ),
  ]
  const isUnread = results.some(({ by = [] }) =>
    by.some((one) => one.column === column && one.figures.some((figure) => unreadOf(figure) > 0)),
  )
  return [
    [column, 'rows', ...models.flatMap((model) => [modelText(model), ...(isUnread ? [`${modelText(model)}: not read`] : [])])],
    ...values.map((of) => {
      const found = models.map((model) => figuresOf(model).find((figure) => figure.of === of))
      const rows = Math.max(...found.map((figure) => figure?.rows ?? 0))
      return [of, String(rows), ...found.flatMap((figure, place) => cells(figure, results[place]!.unit, isUnread))]
    }),
  ]
}

function cells(figure: ColumnMetric | undefined, unit: string, isUnread: boolean): string[] {
  if (!figure) return isUnread ? ['', ''] : ['']
  const count = unreadOf(figure)
  return [`${showValue({ ...figure, unit })}${showInterval({ ...figure, unit })}`, ...(isUnread ? [count === 0 ? '–' : String(count)] : [])]
}

/** Answers that could not be read, decided or scored. */
export function unreadOf({ answers: { answered, ...others } }: ColumnMetric): number {
  return Object.values(others).reduce((sum, count) => sum + count, 0)
}
