import stringWidth from 'string-width'
import { bestOf } from '../score/evaluate/metric.ts'
import { distinctModels, isSamePair, type ModelName, modelText } from './pair-name.ts'
import type { PairResult } from './run-record.ts'
import { showInterval, showValue } from './summary-markdown.ts'

const barWidth = 8

type Paint = (text: string) => string

/** How a table is shown: a terminal has colours, and cannot show every character. */
export type TableStyle = { bold: Paint; dim: Paint; red: Paint; green: Paint; printable: Paint }

const same: Paint = (text) => text
const plainStyle: TableStyle = { bold: same, dim: same, red: same, green: same, printable: same }

/**
 * The figures of a run: a line for each model, a column for each dataset, with their intervals where the terminal is wide
 * enough; where it is too narrow for the table itself, a line for each figure.
 */
export function resultsTable(results: readonly PairResult[], width: number, style = plainStyle): string {
  return wideTable(results, width, style, true) ?? wideTable(results, width, style, false) ?? longTable(results, width, style)
}

function wideTable(results: readonly PairResult[], width: number, style: TableStyle, intervals: boolean): string | undefined {
  const models = distinctModels(results)
  const datasets = [...new Set(results.map(({ dataset }) => dataset))]
  const find = (model: ModelName, dataset: string) => results.find((result) => isSamePair(result, { ...model, dataset }))
  const table = [
    ['', ...datasets],
    ['', ...datasets.map((dataset) => metricOf(results, dataset))],
    ...models.map((model) => [modelText(model), ...datasets.map((dataset) => showCell(find(model, dataset), intervals))]),
  ]
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => stringWidth(style.printable(line[column] ?? '')))))
  if (widths.reduce((sum, one) => sum + one + 3, -3) > width) return undefined
  const best = new Map(datasets.map((dataset) => [dataset, bestValue(results.filter((result) => result.dataset === dataset))]))
  const lines = table.map((line, number) =>
    line
      .map((cell, column) => {
        const padded = pad(cell, widths[column]!, style)
        if (number === 0) return style.bold(padded)
        if (number === 1) return style.dim(padded)
        if (column === 0) return padded
        const result = find(models[number - 2]!, datasets[column - 1]!)
        return paintCell(padded, result, best.get(datasets[column - 1]!), style)
      })
      .join('   ')
      .trimEnd(),
  )
  return lines.join('\n')
}

function longTable(results: readonly PairResult[], width: number, style: TableStyle): string {
  const lines = results.map((result) => ({ name: `${modelText(result)} · ${result.dataset}`, result }))
  const widest = Math.min(Math.max(...lines.map(({ name }) => stringWidth(style.printable(name)))), Math.max(20, width - 34))
  return lines
    .map(({ name, result }) => `${pad(name, widest, style)}   ${showCell(result, true)}   ${style.dim(metricText(result))}`)
    .join('\n')
}

function showCell(result: PairResult | undefined, intervals: boolean): string {
  if (!result) return ''
  const value = showValue(result)
  const interval = intervals ? showInterval(result) : ''
  if (result.unit !== 'percent' || result.value === undefined) return `${value}${interval}`
  return `${bar(result.value / 100)} ${value.padStart(5)}${interval}`
}

/** A share as a bar of blocks, to an eighth of a column. */
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

function metricOf(results: readonly PairResult[], dataset: string): string {
  const { metric, unit } = results.find((result) => result.dataset === dataset)!
  return `${metric}${unit === 'percent' ? ' %' : ''}`
}

function metricText({ metric, unit, rows }: PairResult): string {
  return `${metric}${unit === 'percent' ? ' %' : ''}, ${rows} rows`
}

function pad(text: string, width: number, { printable }: TableStyle): string {
  const shown = printable(text)
  return shown + ' '.repeat(Math.max(0, width - stringWidth(shown)))
}
