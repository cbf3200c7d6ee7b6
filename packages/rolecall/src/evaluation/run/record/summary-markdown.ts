import { answersTable } from './answers-table.ts'
import { bestText, interactionText } from './best-text.ts'
import { columnMetricTables } from './column-metrics.ts'
import { adjustmentText, comparisonText } from './compare-models.ts'
import { spendingLines } from './cost.ts'
import { verdictsTable } from './judge-verdicts.ts'
import { distinctModels, isSamePair, type ModelName, modelText } from './pair-name.ts'
import { remarksAbout } from './remarks.ts'
import { type MetricColumn, metricCell, metricColumns } from './results-table.ts'
import { fixed } from './round.ts'
import type { GroupResult, PairResult, RunSummary } from './run-record.ts'
import { showInterval, showValue } from './show-metric.ts'
import { shownResults } from './shown-results.ts'

/** A run's metrics as a page: the table, the outcomes of answers, then remarks. */
export function summaryMarkdown(given: RunSummary): string {
  const summary = shownResults(given)
  const { name, started, seconds, version, results, groupComparisons = [], promptComparisons = [], best = [], interactions = [] } = summary
  const comparisons = [...promptComparisons, ...(summary.comparisons ?? [])]
  const columns = metricColumns(results)
  const cell = (model: ModelName, column: MetricColumn) =>
    metricCell(
      results.find((result) => isSamePair(result, { ...model, dataset: column.dataset })),
      column,
    )
  const lines = [
    `# ${escapeMarkdown(name)}`,
    '',
    `${started}, ${fixed(seconds, 1)} s, rolecall ${version}`,
    '',
    ...spendingLines(given).flatMap((line) => [escapeMarkdown(line), '']),
    ...markdownTable([
      ['model', ...columns.map(({ dataset, label }) => `${dataset}: ${label}`)],
      ...distinctModels(results).map((model) => [modelText(model), ...columns.map((column) => cell(model, column))]),
    ]),
  ]
  const remarks = results.flatMap((result) =>
    remarksOf(result).map((remark) => `- ${escapeMarkdown(`${modelText(result)} on ${result.dataset}: ${remark}`)}`),
  )
  const compared = [...groupComparisons, ...comparisons].map((one) => `- ${escapeMarkdown(comparisonText(one))}`)
  const adjusted = [...adjustmentText(comparisons), ...adjustmentText(groupComparisons)].map(escapeMarkdown)
  const grouped = groupLines(summary).map((text) => `- ${escapeMarkdown(text)}`)
  if (results.some(({ interval }) => interval)) lines.push('In brackets: 95 % confidence intervals.', '')
  if (results.length > 0) lines.push('What became of the answers:', '', ...markdownTable(answersTable(results)))
  const verdicts = verdictsTable(results)
  if (verdicts.length > 0) lines.push('Verdicts of the judges:', '', ...markdownTable(verdicts))
  for (const { title, table } of columnMetricTables(results)) lines.push(`${escapeMarkdown(title)}:`, '', ...markdownTable(table))
  if (grouped.length > 0) lines.push('Groups:', '', ...grouped, '')
  if (compared.length > 0) lines.push('The same rows, compared one by one:', '', ...compared, '', ...adjusted.flatMap((text) => [text, '']))
  const onAxes = [...best.map(bestText), ...interactions.map(interactionText)].map((text) => `- ${escapeMarkdown(text)}`)
  if (onAxes.length > 0) lines.push('Best on each axis:', '', ...onAxes, '')
  return `${[...lines, ...(remarks.length > 0 ? [...new Set(remarks), ''] : [])].join('\n')}`
}

/** A table with its heading, numbers aligned right, followed by an empty line. */
export function markdownTable([heading = [], ...rows]: readonly (readonly string[])[]): string[] {
  return [line(heading), line(heading.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line), '']
}

/** The values of groups, and why some have none. */
export function groupLines({ groups = [], groupNotes = [] }: RunSummary): string[] {
  return [
    ...groups.flatMap((one) => [
      `${modelText(one)} · ${one.group} ${showValue(one)}${showInterval(one)}${weighting(one)}`,
      ...taskFigures(one).map((text) => `${modelText(one)} · ${one.group} ${text}`),
    ]),
    ...groupNotes,
  ]
}

/** The metrics that a group of lm-evaluation-harness names, each with its standard error if it has one. */
function taskFigures({ figures = {} }: GroupResult): string[] {
  return Object.entries(figures).flatMap(([name, value]) => {
    if (name === 'sample_len' || name.includes('_stderr,') || typeof value !== 'number') return []
    const error = figures[name.replace(',', '_stderr,')]
    return [`${name} ${fixed(value, 4)}${typeof error === 'number' ? ` (standard error ${fixed(error, 4)})` : ''}`]
  })
}

/** How the parts of a group are weighted. */
export function weighting({ weightedBy, scored = 0, datasets }: GroupResult): string {
  switch (weightedBy) {
    case 'rows':
      return ` (by rows: ${scored})`
    case 'datasets':
      return ` (by datasets: ${datasets.length})`
    case 'weights':
      return ' (by weights)'
    default:
      return ''
  }
}

/** The remarks about a result as text. */
export function remarksOf(result: PairResult): string[] {
  return remarksAbout(result).map(({ text }) => text)
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, '\\$&').replace(/\s+/g, ' ')
}
