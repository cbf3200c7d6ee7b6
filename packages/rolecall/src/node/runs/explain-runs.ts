import { PromptError } from '@rolecall/core/internal/errors'
import { explain, type WhyReport } from '../../workbench/why/explain.ts'
import type { WhySide } from '../../workbench/why/why-row.ts'
import { openRunOrResults } from './foreign/open-run-or-results.ts'
import { type NamedSide, openWhySide, type WhySelection } from './why-side.ts'

/** Which model, dataset and metric of the runs to explain; needed if they have several. */
export type ExplainOptions = WhySelection & {
  /** The metric of the second run, if it is another. */
  secondMetric?: string | undefined
}

/** Two explained runs, whose rows can be read until they are closed, with the metrics that each has. */
export type ExplainedRuns = {
  report: WhyReport
  sides: readonly [WhySide, WhySide]
  metrics: readonly [readonly string[], readonly string[]]
  close(): void
}

/**
 * Explains why the scores of two runs differ: of Rolecall, or of another harness (lm-eval, Inspect, OpenCompass, …), given by their
 * folders or files. The effects of `causes` add up to `difference`.
 *
 * ```ts
 * const { difference, causes } = await explainRuns('results/lm-eval', 'results/opencompass')
 * ```
 */
export async function explainRuns(first: string, second: string, options: ExplainOptions = {}): Promise<WhyReport> {
  const { report, close } = await openExplained(first, second, options)
  close()
  return report
}

/** Explains two runs and leaves them open, to show rows. */
export async function openExplained(first: string, second: string, { secondMetric, ...given }: ExplainOptions): Promise<ExplainedRuns> {
  const [one, other] = [await openRunOrResults(first), await openRunOrResults(second)]
  return explainSides(
    { ...given, ...one.choice, folder: one.folder, name: first },
    { ...given, ...other.choice, folder: other.folder, name: second, metric: secondMetric ?? given.metric },
  )
}

/** Explains one model on one dataset of a run and of another, and leaves both open. */
export async function explainSides(first: NamedSide, second: NamedSide): Promise<ExplainedRuns> {
  const one = await openWhySide(first)
  try {
    const other = await openWhySide(second)
    const close = () => {
      one.close()
      other.close()
    }
    try {
      const sides = [one.side, other.side] as const
      const report = explain(...sides)
      if (report.join.matched === 0) throw noCommonRows(first.name, second.name)
      report.notes.push(...[one, other].flatMap(({ side, notes }) => notes.map((text) => `${side.name}: ${text}`)))
      return { report, sides, metrics: [one.metrics, other.metrics], close }
    } catch (error) {
      other.close()
      throw error
    }
  } catch (error) {
    one.close()
    throw error
  }
}

function noCommonRows(first: string, second: string): PromptError {
  return new PromptError('no-common-rows', {
    where: `${first}, ${second}`,
    problem: 'no row of one is in the other: neither hashes, ids nor questions agree',
    fix: 'compare runs over the same dataset',
  })
}
