import { comparisonText } from './compare-models.ts'
import { outcomesText } from './outcome.ts'
import { distinctModels, isSamePair, type ModelName, modelText } from './pair-name.ts'
import type { PairResult, RunSummary } from './run-record.ts'

/** A run's figures as a page: one table, then what is to be known about them. */
export function summaryMarkdown(summary: RunSummary): string {
  const { name, started, seconds, version, results, comparisons = [] } = summary
  const models = distinctModels(results)
  const datasets = [...new Set(results.map(({ dataset }) => dataset))]
  const cell = (model: ModelName, dataset: string) => {
    const found = results.find((result) => isSamePair(result, { ...model, dataset }))
    return found ? `${showValue(found)}${showInterval(found)}` : ''
  }
  const header = ['model', ...datasets.map((dataset) => `${dataset} (${metricOf(results, dataset)})`)]
  const rows = models.map((model) => [modelText(model), ...datasets.map((dataset) => cell(model, dataset))])
  const lines = [
    `# ${escapeMarkdown(name)}`,
    '',
    `${started}, ${seconds.toFixed(1)} s, rolecall ${version}`,
    '',
    line(header),
    line(header.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(line),
    '',
  ]
  const remarks = results.flatMap((result) =>
    remarksOf(result).map((remark) => `- ${escapeMarkdown(`${modelText(result)} on ${result.dataset}: ${remark}`)}`),
  )
  const compared = comparisons.map((one) => `- ${escapeMarkdown(comparisonText(one))}`)
  const grouped = groupLines(summary).map((text) => `- ${escapeMarkdown(text)}`)
  if (results.some(({ interval }) => interval)) lines.push('In brackets: 95 % confidence intervals.', '')
  if (grouped.length > 0) lines.push('Groups:', '', ...grouped, '')
  if (compared.length > 0) lines.push('The same rows, compared one by one:', '', ...compared, '')
  return `${[...lines, ...(remarks.length > 0 ? [...new Set(remarks), ''] : [])].join('\n')}`
}

/** The figures of groups, and why some have none. */
export function groupLines({ groups = [], groupNotes = [] }: RunSummary): string[] {
  return [...groups.map((one) => `${modelText(one)} · ${one.group} ${showValue(one)}${showInterval(one)}`), ...groupNotes]
}

/** A figure with the digits that so many rows can mean. */
export function showValue({ value, unit }: Pick<PairResult, 'value' | 'unit'>): string {
  if (value === undefined) return '–'
  return unit === 'percent' ? value.toFixed(1) : value.toFixed(4)
}

/** ` [50.2, 61.0]`, or nothing. */
export function showInterval({ interval, unit }: Pick<PairResult, 'interval' | 'unit'>): string {
  if (!interval) return ''
  const digits = unit === 'percent' ? 1 : 4
  return ` [${interval.low.toFixed(digits)}, ${interval.high.toFixed(digits)}]`
}

/** What a reader of the figure must know. */
export function remarksOf(result: PairResult): string[] {
  const { skipped, cached = 0, cut, rows, examplesDropped, compat, notes } = result
  return [
    ...failedRemark(result),
    ...answersRemark(result),
    ...(cached > 0 ? [`${cached} of ${rows} answers are those of an earlier run; --no-cache asks again`] : []),
    ...(skipped > 0 ? [`${skipped} bad rows of the file were skipped`] : []),
    ...(cut > 0 ? [`${cut} of ${rows} answers ended at the most tokens`] : []),
    ...(examplesDropped > 0 ? [`${examplesDropped} examples were left out to keep within max_seq_len`] : []),
    ...(compat === undefined ? [] : [`compat: ${compat}`]),
    ...notes
      .filter(({ code }) => code !== 'examples-dropped')
      .map(({ text, rows: some }) => (some === rows ? text : `${text} (${some} of ${rows} rows)`)),
  ]
}

/** Rows without an answer are no part of the figure, and everybody who reads it is told what it would be with them. */
function failedRemark({ failed, unanswered = failed, rows, value, valueIfFailedAreWrong: withFailed, unit }: PairResult): string[] {
  if (failed === 0) return []
  if (value === undefined) return [failed === rows ? `none of ${rows} rows has a score` : `${failed} of ${rows} rows have no score`]
  const wrong = withFailed === undefined ? '' : ` (${showValue({ value: withFailed, unit })} if they count as wrong)`
  const lack = unanswered < failed ? 'score' : 'answer'
  const again = unanswered > 0 ? '; rolecall run -r --retry-errors asks again for answers' : ''
  return [`${failed} of ${rows} rows have no ${lack}: ${showValue({ value, unit })} is over the other ${rows - failed}${wrong}${again}`]
}

/** What could not be read is counted, and so is what was not read: thoughts. */
function answersRemark({ answers, reasoned = 0, rows }: PairResult): string[] {
  const total = Object.values(answers).reduce((sum, count) => sum + count, 0)
  const { failed: _, ...others } = answers
  const unread = outcomesText({ ...others, failed: 0 })
  return [
    ...(unread === '' ? [] : [`of ${total} answers: ${unread}`]),
    ...(reasoned > 0 ? [`reasoning was set apart from the answer in ${reasoned} of ${rows} rows`] : []),
  ]
}

function metricOf(results: readonly PairResult[], dataset: string): string {
  const found = results.find((result) => result.dataset === dataset)!
  return found.unit === 'percent' ? `${found.metric}, %` : found.metric
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, '\\$&').replace(/\s+/g, ' ')
}
