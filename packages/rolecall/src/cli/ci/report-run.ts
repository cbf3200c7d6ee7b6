import type { Command } from 'commander'
import {
  type CheckedMetric,
  checkMetrics,
  checkText,
  type MetricCheck,
  readMetricCheck,
} from '../../evaluation/run/record/metric-checks.ts'
import { outcomesText } from '../../evaluation/run/record/outcome.ts'
import { isSamePair, modelText } from '../../evaluation/run/record/pair-name.ts'
import type { PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { metricLabel, showInterval, showValue } from '../../evaluation/run/record/show-metric.ts'
import { summaryMarkdown } from '../../evaluation/run/record/summary-markdown.ts'
import { exitCodes } from '../exit-codes.ts'
import { collects } from '../flag-values.ts'
import type { JsonFailure } from '../print-json.ts'
import type { ScreenBlock } from '../screen/blocks.ts'
import { type Annotation, annotate, isGitHub } from './annotations.ts'
import { type AllowedFailures, judgeFailedRows, readAllowedFailures } from './failed-rows.ts'
import { type TestCase, type TestSuite, writeJunit } from './junit.ts'

/** The CI flags of `run` and `score`. */
export type CiFlags = { failUnder?: readonly MetricCheck[]; allowFailed?: AllowedFailures; junit?: string; github: boolean }

export function withCiOptions(command: Command): Command {
  return command
    .option(
      '--fail-under <metric=number>',
      `exit with code ${exitCodes['check-failed'].code} if a metric is worse: accuracy=0.8, gsm8k:accuracy=80%, or a group; can be repeated`,
      collects((text: string, before: readonly MetricCheck[] = []) => [...before, readMetricCheck(text)]),
    )
    .option(
      '--allow-failed <share>',
      `exit with code ${exitCodes.ok.code} instead of ${exitCodes['rows-failed'].code} if at most this many rows failed: 1% of all rows, or a number such as 20`,
      readAllowedFailures,
    )
    .option('--junit <file>', 'write the metrics and checks as JUnit XML, for CI')
    .option('--github', 'in a GitHub workflow: annotate the run, and add the metrics to the job summary', false)
}

/** The failure of checks that were not passed. */
export function failedChecks(checked: readonly CheckedMetric[]): JsonFailure | undefined {
  const failed = checked.filter(({ passed }) => !passed)
  if (failed.length === 0) return undefined
  return { code: 'worse', where: '--fail-under', problem: failed.map(checkText).join('; '), exit_code: exitCodes['check-failed'].code }
}

/** Checks metrics and reports them to CI. */
export function reportRun(
  summary: RunSummary,
  { failUnder = [], allowFailed, junit, github }: CiFlags,
  output: NodeJS.WritableStream,
): CheckedMetric[] {
  const checked = checkMetrics(failUnder, summary)
  if (junit !== undefined) writeJunit(junit, suitesOf(summary, checked, judgeFailedRows(summary, allowFailed).within !== undefined))
  if (github && isGitHub()) annotate(annotationsOf(summary, checked), summaryMarkdown(summary), output)
  return checked
}

/** The checks, for the terminal. */
export function checkBlocks(checked: readonly CheckedMetric[]): ScreenBlock[] {
  return checked.map((one) => ({
    kind: 'label',
    label: one.passed ? 'ok' : 'worse',
    tone: one.passed ? 'good' : 'bad',
    texts: [checkText(one)],
  }))
}

function suitesOf({ results, groups = [] }: RunSummary, checked: readonly CheckedMetric[], mayFail: boolean): TestSuite[] {
  const pairs = results.map((result): TestSuite => {
    const own = checked.filter((one) => isSamePair(one, result))
    return {
      name: `${modelText(result)} on ${result.dataset}`,
      ...(result.axes === undefined ? {} : { properties: result.axes }),
      cases: [figureCase(result), ...own.map(checkCase), ...answerCases(result, mayFail)],
    }
  })
  const ofGroups = checked.filter((one) => groups.some(({ group, ...name }) => isSamePair(one, { ...name, dataset: group })))
  return ofGroups.length === 0 ? pairs : [...pairs, { name: 'groups', cases: ofGroups.map(checkCase) }]
}

function figureCase(result: PairResult): TestCase {
  const { seconds, value, rows } = result
  const name = metricLabel(result)
  if (value === undefined) return { name, seconds, error: `none of ${rows} rows has a score` }
  return { name, seconds, output: `${showValue(result)}${showInterval(result)} over ${rows} rows` }
}

function checkCase(one: CheckedMetric): TestCase {
  return { name: `--fail-under ${one.check}`, ...(one.passed ? { output: checkText(one) } : { failure: checkText(one) }) }
}

function answerCases({ answers, failed, rows }: PairResult, mayFail: boolean): TestCase[] {
  const text = outcomesText(answers)
  const output = text === '' ? {} : { output: text }
  return [{ name: 'every row has a score', ...(failed > 0 && !mayFail ? { error: `${failed} of ${rows} rows have none` } : {}), ...output }]
}

function annotationsOf({ results }: RunSummary, checked: readonly CheckedMetric[]): Annotation[] {
  return [
    ...checked
      .filter(({ passed }) => !passed)
      .map((one): Annotation => ({ level: 'error', title: '--fail-under', message: checkText(one) })),
    ...results.flatMap((result): Annotation[] => {
      const title = `${modelText(result)} on ${result.dataset}`
      const unread = outcomesText(result.answers)
      return [
        { level: 'notice', title, message: `${metricLabel(result)}: ${showValue(result)}${showInterval(result)}, ${result.rows} rows` },
        ...(unread === '' ? [] : [{ level: 'warning' as const, title, message: `answers: ${unread}` }]),
      ]
    }),
  ]
}
