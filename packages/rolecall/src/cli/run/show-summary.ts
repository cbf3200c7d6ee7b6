import { answersTable, hasUnread } from '../../evaluation/run/record/answers-table.ts'
import { columnMetricTables } from '../../evaluation/run/record/column-metrics.ts'
import { adjustmentText, comparisonText, formatSpread, isSignificant } from '../../evaluation/run/record/compare-models.ts'
import { verdictsTable } from '../../evaluation/run/record/judge-verdicts.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { plainTable, resultsTable } from '../../evaluation/run/record/results-table.ts'
import type { PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { shownResults } from '../../evaluation/run/record/shown-results.ts'
import { groupLines, remarksOf } from '../../evaluation/run/record/summary-markdown.ts'
import { colors, printable, terminalWidth } from '../terminal.ts'

/** A run's metrics for the terminal, in paragraphs: the table, unparsed answers, verdicts of judges, what else the table does not show, and remarks. */
export function showSummary(given: RunSummary, { withSpread }: { withSpread: boolean }): string[] {
  const summary = shownResults(given)
  const { results } = summary
  const table = results.length === 0 ? [] : [resultsTable(results, terminalWidth(), { ...colors, printable })]
  const unread = results.filter(hasUnread)
  const answers = unread.length === 0 ? [] : [plainTable(answersTable(unread), { ...colors, printable })]
  const verdicts = verdictsTable(results)
  const judges = verdicts.length === 0 ? [] : [plainTable(verdicts, { ...colors, printable })]
  return [...table, ...answers, ...judges, ...byColumns(results), ...groupsAndComparisons(summary, withSpread), ...remarks(results)]
}

/** Further values of a column are only in the summary. */
const mostValues = 40

function byColumns(results: readonly PairResult[]): string[] {
  return columnMetricTables(results).map(({ title, table }) => {
    const more = table.length - 1 - mostValues
    const shown = plainTable(table.slice(0, mostValues + 1), { ...colors, printable })
    return [colors.bold(printable(title)), shown, ...(more > 0 ? [colors.dim(`${more} more are in summary/summary.md`)] : [])].join('\n')
  })
}

/** Further comparisons are only in the summary. */
const mostShown = 6

/** Groups, and significant differences. */
function groupsAndComparisons(summary: RunSummary, withSpread: boolean): string[] {
  const { results, groupComparisons = [], promptComparisons = [] } = summary
  const comparisons = [...promptComparisons, ...(summary.comparisons ?? [])]
  const compared = comparisons.filter(isSignificant).slice(0, mostShown).map(comparisonText)
  const more = comparisons.length - compared.length
  const lines = [
    ...groupLines(summary),
    ...(withSpread ? formatSpread(results) : []),
    ...groupComparisons.filter(isSignificant).slice(0, mostShown).map(comparisonText),
    ...compared,
    ...adjustmentText(comparisons),
    ...(more > 0
      ? [
          `${more} ${more === 1 ? 'comparison of models is' : 'comparisons of models are'} in summary/summary.md: ${compared.length > 0 ? 'those above are the clearest' : `${more === 1 ? 'its difference' : 'their differences'} may be chance`}`,
        ]
      : []),
  ]
  return lines.length === 0 ? [] : [lines.map(printable).join('\n')]
}

/** Each remark once, with its pairs. */
function remarks(results: readonly PairResult[]): string[] {
  const about = new Map<string, string[]>()
  for (const result of results) {
    for (const remark of remarksOf(result)) about.set(remark, [...(about.get(remark) ?? []), `${modelText(result)} · ${result.dataset}`])
  }
  const lines = [...about].map(([remark, pairs]) => {
    const who = pairs.length > 3 ? `${pairs.slice(0, 2).join(', ')} and ${pairs.length - 2} more` : pairs.join(', ')
    return `${colors.yellow('note')} ${printable(remark)} ${colors.dim(`(${printable(who)})`)}`
  })
  return lines.length === 0 ? [] : [lines.join('\n')]
}
