import { type AxisName, axisNames } from '../../config/axes.ts'
import { modelText } from './pair-name.ts'
import type { GroupResult, PairResult, RunSummary } from './run-record.ts'

/** The place of a result on every axis; '' where the axis is not used, as by a model in its own format. */
export type TablePlace = Readonly<Record<AxisName, string>>

export type TableCell = {
  at: TablePlace
  /** The name of the metric; undefined for a group, whose datasets may have several. */
  metric: string | undefined
  figure: Pick<PairResult, 'value' | 'interval' | 'unit' | 'direction'>
  rows: number | undefined
  /** What a group is the mean of. */
  about?: string | undefined
  /** Undefined for a group of datasets. */
  result: PairResult | undefined
}

/** The results of a run as a table with axes: each comparison, matrix or chart is along one axis, with the others equal. */
export type RunTable = { axes: Readonly<Record<AxisName, readonly string[]>>; cells: readonly TableCell[] }

/** The table of a run; groups of datasets are places on the axis of the data, behind the datasets. */
export function runTable({ results, groups = [] }: Pick<RunSummary, 'results' | 'groups'>): RunTable {
  const cells = [...results.map(cellOfResult), ...groups.map(cellOfGroup)]
  const valuesOf = (axis: AxisName) => [...new Set(cells.map(({ at }) => at[axis]))]
  return { axes: Object.fromEntries(axisNames.map((axis) => [axis, valuesOf(axis)])) as Record<AxisName, string[]>, cells }
}

/** The axes along which a table has several places. */
export function varyingAxes({ axes }: RunTable): AxisName[] {
  return axisNames.filter((name) => axes[name].length > 1)
}

/** Where a result stands: as its config says, else by the names of its dataset, model and format. */
export function placeOf({ model, format = '', dataset, axes }: Pick<PairResult, 'model' | 'format' | 'dataset' | 'axes'>): TablePlace {
  const { data = dataset, prompt = '', shots = '', model: name = model, format: inFormat = format, temperature = '' } = axes ?? {}
  const place = { data, prompt, shots, model: name, format: inFormat, temperature }
  return Object.fromEntries(Object.entries(place).map(([axis, value]) => [axis, String(value)])) as TablePlace
}

/** The name of a place on some axes: `tiny as chatml`, `careful · tiny · sums`. */
export function placeName(at: TablePlace, axes: readonly AxisName[]): string {
  const [hasModel, hasFormat] = [axes.includes('model'), axes.includes('format')]
  const shown = (axis: AxisName, text: (value: string) => string) =>
    axes.includes(axis) ? [at[axis] === '' ? 'default' : text(at[axis])] : []
  const parts = [
    ...shown('prompt', (name) => name),
    ...shown('shots', (count) => (/^\d+$/.test(count) ? `${count}-shot` : count)),
    ...(hasModel ? [modelText({ model: at.model, format: hasFormat && at.format !== '' ? at.format : undefined })] : []),
    ...(hasFormat && !hasModel ? [at.format === '' ? 'own format' : at.format] : []),
    ...shown('temperature', (value) => `t=${value}`),
    ...(axes.includes('data') ? [at.data] : []),
  ]
  return parts.join(' · ')
}

function cellOfResult(result: PairResult): TableCell {
  return { at: placeOf(result), metric: result.metric, figure: result, rows: result.rows, result }
}

function cellOfGroup(group: GroupResult): TableCell {
  const { model, format = '', unit, value, interval, direction = 'higher' } = group
  return {
    at: placeOf({ model, format, dataset: group.group, axes: undefined }),
    metric: undefined,
    figure: { value, unit, direction, ...(interval ? { interval } : {}) },
    rows: group.scored,
    about: meanText(group),
    result: undefined,
  }
}

function meanText({ weightedBy, scored = 0, datasets }: GroupResult): string {
  switch (weightedBy) {
    case 'rows':
      return `mean of ${scored.toLocaleString('en')} rows`
    case 'weights':
      return `weighted mean of ${datasets.length} datasets`
    default:
      return `mean of ${datasets.length} datasets`
  }
}
