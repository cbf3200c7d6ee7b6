import stringWidth from 'string-width'
import { bestOf } from '../../score/evaluate/metric.ts'
import { distinctModels, isSamePair, type ModelName, modelText } from './pair-name.ts'
import { fixed } from './round.ts'
import type { PairResult } from './run-record.ts'
import { metricLabel, showInterval, showValue } from './show-metric.ts'

const barWidth = 8

type Paint = (text: string) => string

/** How a table is displayed: a terminal has colours, and cannot show every character. */
export type TableStyle = { bold: Paint; dim: Paint; red: Paint; green: Paint; printable: Paint }

const same: Paint = (text) => text
const plainStyle: TableStyle = { bold: same, dim: same, red: same, green: same, printable: same }

/** A column of the table: a dataset's main metric, a secondary one, or the share of cut answers or the main metric of the others. */
export type MetricColumn = { dataset: string; metric: string; label: string; isMain: boolean; of?: 'cut' | 'complete' }

/** The columns for these results, dataset by dataset, main metric first. */
export function metricColumns(results: readonly PairResult[]): MetricColumn[] {
  const datasets = [...new Set(results.map(({ dataset }) => dataset))]
  return datasets.flatMap((dataset): MetricColumn[] => {
    const own = results.filter((result) => result.dataset === dataset)
    const main = own[0]!
    const beside = new Map(own.flatMap((result) => (result.beside ?? []).map((figure) => [figure.metric, figure] as const)))
    return [
      { dataset, metric: main.metric, label: metricLabel(main), isMain: true },
      ...(own.some(({ cut }) => cut > 0)
        ? [
            { dataset, metric: main.metric, label: 'cut %', isMain: false, of: 'cut' as const },
            { dataset, metric: main.metric, label: 'if complete', isMain: false, of: 'complete' as const },
          ]
        : []),
      ...[...beside.values()].map((figure) => ({ dataset, metric: figure.metric, label: metricLabel(figure), isMain: false })),
    ]
  })
}

/** The metric of a result for a column, as text; empty if it has none. */
export function metricCell(result: PairResult | undefined, { metric, isMain, of }: MetricColumn, intervals = true): string {
  if (!result) return ''
  if (of === 'cut') return result.rows === 0 ? '' : fixed((100 * result.cut) / result.rows, 1)
  // Without cut answers, the metric itself is that of complete ones.
  if (of === 'complete') return showValue(result.cut === 0 ? result : { ...result.complete, unit: result.unit })
  if (isMain) return `${showValue(result)}${intervals ? showInterval(result) : ''}`
  const figure = result.beside?.find((one) => one.metric === metric)
  return figure ? showValue(figure) : ''
}

/**
 * The metrics of a run: a line per model, a column per dataset and per secondary metric,
 * with intervals if the terminal is wide enough; if it is too narrow for the table, a line per metric.
 */
export function resultsTable(results: readonly PairResult[], width: number, style = plainStyle): string {
  return wideTable(results, width, style, true) ?? wideTable(results, width, style, false) ?? longTable(results, width, style)
}

function wideTable(results: readonly PairResult[], width: number, style: TableStyle, intervals: boolean): string | undefined {
  const models = distinctModels(results)
  const columns = metricColumns(results)
  const find = (model: ModelName, dataset: string) => results.find((result) => isSamePair(result, { ...model, dataset }))
  const table = [
    ['', ...columns.map(({ dataset, isMain }) => (isMain ? dataset : ''))],
    ['', ...columns.map(({ label }) => label)],
    ...models.map((model) => [modelText(model), ...columns.map((column) => showCell(find(model, column.dataset), column, intervals))]),
  ]
  const widths = columnWidths(table, style)
  if (widths.reduce((sum, one) => sum + one + 3, -3) > width) return undefined
  const best = new Map(columns.map(({ dataset }) => [dataset, bestValue(results.filter((result) => result.dataset === dataset))]))
  const lines = table.map((line, number) =>
    line
      .map((cell, at) => {
        const padded = pad(cell, widths[at]!, style)
        if (number === 0) return style.bold(padded)
        if (number === 1) return style.dim(padded)
        const column = columns[at - 1]
        if (!column?.isMain) return padded
        return paintCell(padded, find(models[number - 2]!, column.dataset), best.get(column.dataset), style)
      })
      .join('   ')
      .trimEnd(),
  )
  return lines.join('\n')
}

function longTable(results: readonly PairResult[], width: number, style: TableStyle): string {
  const lines = results.flatMap((result) =>
    metricColumns([result]).map((column) => ({
      name: `${modelText(result)} · ${result.dataset}`,
      cell: showCell(result, column, true),
      about: column.isMain ? `${column.label}, ${result.rows} rows` : column.label,
    })),
  )
  const widest = Math.min(Math.max(...lines.map(({ name }) => stringWidth(style.printable(name)))), Math.max(20, width - 34))
  return lines.map(({ name, cell, about }) => `${pad(name, widest, style)}   ${cell}   ${style.dim(about)}`).join('\n')
}

function showCell(result: PairResult | undefined, column: MetricColumn, intervals: boolean): string {
  const text = metricCell(result, column, intervals)
  if (!result || !column.isMain || result.unit !== 'percent' || result.value === undefined) return text
  return `${bar(result.value / 100)} ${showValue(result).padStart(5)}${intervals ? showInterval(result) : ''}`
}

/** A fraction as a bar of blocks, to an eighth of a column. */
export function bar(share: number, width = barWidth): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  const full = Math.floor(eighths / 8)
  const part = eighths % 8
  return `${'█'.repeat(full)}${part > 0 ? ' ▏▎▍▌▋▊▉'[part] : ''}`.padEnd(width, '·')
}

function paintCell(cell: string, result: PairResult | undefined, best: number | undefined, style: TableStyle): string {
  if (result?.value === undefined) return cell
  if (result.failed > 0) return style.red(cell)
  return result.value === best ? style.green(cell) : cell
}

function bestValue(results: readonly PairResult[]): number | undefined {
  const values = results.flatMap(({ value }) => (value === undefined ? [] : [value]))
  if (values.length === 0) return undefined
  return bestOf(values, results[0]!.direction)
}

/** Aligned rows of cells with a heading: the first column to the left, numbers to the right. */
export function plainTable(table: readonly (readonly string[])[], style = plainStyle): string {
  const widths = columnWidths(table, style)
  return table
    .map((line, number) => {
      const cells = line.map((cell, at) => (at === 0 ? pad(cell, widths[at]!, style) : padLeft(cell, widths[at]!, style)))
      const text = cells.join('   ').trimEnd()
      return number === 0 ? style.dim(text) : text
    })
    .join('\n')
}

function columnWidths(table: readonly (readonly string[])[], style: TableStyle): number[] {
  return (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => stringWidth(style.printable(line[column] ?? '')))))
}

function pad(text: string, width: number, { printable }: TableStyle): string {
  const shown = printable(text)
  return shown + ' '.repeat(Math.max(0, width - stringWidth(shown)))
}

function padLeft(text: string, width: number, { printable }: TableStyle): string {
  const shown = printable(text)
  return ' '.repeat(Math.max(0, width - stringWidth(shown))) + shown
}
