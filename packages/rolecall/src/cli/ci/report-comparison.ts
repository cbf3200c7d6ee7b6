import { type Command, Option } from 'commander'
import { comparisonText, isSignificant } from '../../evaluation/run/record/compare-models.ts'
import { oneClusterText, type RunComparison } from '../../evaluation/run/record/compare-rows.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { differencesText } from '../../evaluation/run/record/row-differences.ts'
import { gain } from '../../evaluation/score/evaluate/metric.ts'
import { writeInto } from '../../node/runs/disk-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { type Annotation, annotate, isGitHub } from './annotations.ts'
import { type TestSuite, writeJunit } from './junit.ts'

/** The values of `--fail-on`. */
const failures = ['worse', 'any-worse', 'worse-rows', 'changed'] as const
export type FailOn = (typeof failures)[number]

export type CiCompareFlags = { failOn?: FailOn; junit?: string; github: boolean; markdown?: string }

export function withCiCompareOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--fail-on <what>',
        `exit with code ${exitCodes['check-failed'].code} if a metric is significantly worse (worse), worse at all (any-worse), a row is worse (worse-rows), or anything differs (changed)`,
      ).choices(failures),
    )
    .option('--junit <file>', 'write the comparison as JUnit XML, for CI')
    .option('--markdown <file>', 'write the comparison as Markdown, for a comment on a pull request')
    .option('--github', 'in a GitHub workflow: annotate the run', false)
}

/** Why a comparison fails, if it does. What cannot be compared fails, since it may be worse. */
export function failureOf(comparison: RunComparison, failOn: FailOn): string | undefined {
  const { metrics, comparison: compared, oneCluster, figures, direction, worse, differs, rows, onlyInFirst } = comparison
  if (metrics) return `cannot be compared: the first is scored by ${metrics[0]}, the second by ${metrics[1]}`
  if (failOn === 'changed') {
    if (onlyInFirst + comparison.onlyInSecond > 0)
      return `${onlyInFirst} rows only in the first run, ${comparison.onlyInSecond} only in the second`
    return differs.from === 'nothing' ? undefined : differencesText(differs, rows)
  }
  const lost = comparison.failedInSecond > 0 ? `, and ${comparison.failedInSecond} rows failed in the second run only` : ''
  if (!compared && oneCluster === undefined) return 'cannot be compared: no row has a score in both runs'
  if (failOn === 'worse-rows') return worse.length + comparison.failedInSecond > 0 ? `${worse.length} rows are worse${lost}` : undefined
  if (!compared) return oneClusterText(oneCluster!)
  const isWorse = figures ? gain(figures.first, figures.second, direction) < 0 : gain(0, compared.difference, direction) < 0
  const text = figures
    ? `${figures.metric} ${figures.first} → ${figures.second}; rows: ${comparisonText(compared)}`
    : comparisonText(compared)
  return isWorse && (failOn === 'any-worse' || isSignificant(compared)) ? text : undefined
}

export type ReportedComparison = { name: string; failure?: string }

/** Reports a comparison to CI; pairs missing from the second run fail. */
export function reportComparison(
  comparisons: readonly RunComparison[],
  onlyInFirst: readonly string[],
  { failOn, junit, github, markdown }: CiCompareFlags,
  output: NodeJS.WritableStream,
  asMarkdown: (reported: readonly ReportedComparison[]) => string,
): ReportedComparison[] {
  const found = [
    ...comparisons.map((comparison): ReportedComparison & { text: string } => {
      const failure = failOn && failureOf(comparison, failOn)
      return {
        name: nameOf(comparison),
        text: differencesText(comparison.differs, comparison.rows),
        ...(failure === undefined ? {} : { failure }),
      }
    }),
    ...onlyInFirst.map((name) => ({ name, text: '', ...(failOn ? { failure: 'missing from the second run' } : {}) })),
  ]
  if (junit !== undefined) {
    const cases = found.map(({ name, text, failure }) => ({ name, ...(failure === undefined ? { output: text } : { failure }) }))
    writeJunit(junit, [{ name: `compare${failOn ? ` --fail-on ${failOn}` : ''}`, cases } satisfies TestSuite])
  }
  const reported = found.map(({ name, failure }) => ({ name, ...(failure === undefined ? {} : { failure }) }))
  const text = markdown === undefined && !github ? '' : asMarkdown(reported)
  if (markdown !== undefined) writeInto(markdown, text, '--markdown')
  if (github && isGitHub()) {
    const annotations = found.map(
      ({ name, text, failure }): Annotation =>
        failure === undefined ? { level: 'notice', title: name, message: text } : { level: 'error', title: name, message: failure },
    )
    annotate(annotations, text, output)
  }
  return reported
}

function nameOf({ models, formats, dataset }: RunComparison): string {
  const names = models.map((model, side) => modelText({ model, format: formats?.[side as 0 | 1] }))
  return `${[...new Set(names)].join(' → ')} on ${dataset}`
}
