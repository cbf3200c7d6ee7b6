import { type ExplainGroupOptions, explainGroups } from '../../node/runs/explain-groups.ts'
import { explainSides } from '../../node/runs/explain-runs.ts'
import type { NamedSide } from '../../node/runs/why-side.ts'
import { failedAnswer, type NamedAnswer } from './named-answer.ts'
import type { WhyView } from './viewer-data.ts'

/** The folders of two runs and a model of each. */
export type ExplainedGroups = { first: string; second: string } & Pick<ExplainGroupOptions, 'model' | 'secondModel' | 'group'>

export type ExplainedNames = readonly [first: NamedSide, second: NamedSide]

/** Opens one model on one dataset of two runs and explains why their scores differ, by the code of `rolecall why`. */
export async function explainNamed([first, second]: ExplainedNames): Promise<NamedAnswer> {
  try {
    const { report, sides, metrics, close } = await explainSides(first, second)
    try {
      const ids = sides.map(({ count, row }) => Array.from({ length: count }, (_, place) => row(place).id)) as [number[], number[]]
      return { kind: 'answered', json: JSON.stringify({ report, metrics, ids } satisfies WhyView) }
    } finally {
      close()
    }
  } catch (error) {
    return failedAnswer(error)
  }
}

/** Explains why all datasets, or a group of them, of two runs differ. */
export async function explainNamedGroups({ first, second, ...options }: ExplainedGroups): Promise<NamedAnswer> {
  try {
    return { kind: 'answered', json: JSON.stringify(await explainGroups(first, second, options)) }
  } catch (error) {
    return failedAnswer(error)
  }
}
