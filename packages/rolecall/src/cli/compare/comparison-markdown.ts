import { oneClusterText } from '../../evaluation/run/record/compare-rows.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { signed } from '../../evaluation/run/record/round.ts'
import { differencesText } from '../../evaluation/run/record/row-differences.ts'
import { digitsOf, metricLabel, showInterval, showValue } from '../../evaluation/run/record/show-metric.ts'
import { escapeMarkdown, markdownTable } from '../../evaluation/run/record/summary-markdown.ts'
import type { ReportedComparison } from '../ci/report-comparison.ts'
import { probabilityText, verdictOf } from '../screen/verdict.ts'
import { excludedText, type RunSides, resultsOf } from './compare-screen.ts'
import { pairOf, type ShownComparison } from './show-comparison.ts'

/**
 * A comparison as Markdown, for the comment on a pull request and the summary of a job: a table, then what fails and what differs. Names come
 * from configs, which may be those of somebody else's pull request: they stay text, and call nobody.
 */
export function comparisonMarkdown(shown: readonly ShownComparison[], sides: RunSides, reported: readonly ReportedComparison[]): string {
  const failed = reported.flatMap(({ name, failure }) =>
    failure === undefined ? [] : [`- ❌ **${escapeMarkdown(name)}**: ${escapeMarkdown(failure)}`],
  )
  const differs = shown.map(
    ({ comparison }) => `- ${escapeMarkdown(comparison.dataset)}: ${escapeMarkdown(differencesText(comparison.differs, comparison.rows))}`,
  )
  const lines = [
    ...markdownTable([
      ['dataset', 'rows', 'before', 'after', 'difference', 'p', ''],
      ...shown.map((one) => [...figureCells(one, sides), ...differenceCells(one)]),
    ]),
    ...(failed.length > 0 ? [...failed, ''] : []),
    ...shown.flatMap(({ comparison: { dataset, excluded } }) =>
      excluded === undefined ? [] : [`- ${escapeMarkdown(`${dataset}: ${excludedText(excluded)}`)}`, ''],
    ),
    ...(differs.length > 0 ? [...differs, ''] : []),
  ]
  return lines.join('\n').replaceAll('@', '@\u200b')
}

function figureCells(one: ShownComparison, sides: RunSides): string[] {
  const [before, after] = resultsOf(one, sides)
  const models = new Set([modelText(pairOf(one.comparison, 0)), modelText(pairOf(one.comparison, 1))])
  const label = before ? ` (${metricLabel(before)})` : ''
  const value = (result: typeof before) => (result ? `${showValue(result)}${showInterval(result)}` : '–')
  return [`${one.comparison.dataset} · ${[...models].join(' → ')}${label}`, String(one.comparison.rows), value(before), value(after)]
}

function differenceCells({ comparison: { comparison: compared, metrics, oneCluster, figures, unit } }: ShownComparison): string[] {
  if (metrics) return ['', '', `not compared: scored by ${metrics[0]}, then by ${metrics[1]}`]
  if (oneCluster !== undefined) return ['', '', oneClusterText(oneCluster)]
  if (!compared) return ['', '', 'not compared: no row has a score in both']
  const digits = digitsOf(unit)
  const whole = figures ? signed(figures.second - figures.first, digits) : signed(compared.difference, digits)
  const { low, high } = compared.interval
  return [`${whole} [${signed(low, digits)}, ${signed(high, digits)}]`, probabilityText(compared), verdictOf(compared).word]
}
