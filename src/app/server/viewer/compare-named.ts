import { PromptError } from '../../../base/errors/prompt-error.ts'
import { compareSides } from './compare-sides.ts'
import { OpenRun } from './open-run.ts'

/** A run by its folder, or one of its models by number. */
export type SideName = { folder: string; model: number | undefined }

export type SideNames = readonly [first: SideName, second: SideName]

/** The comparison as JSON, or why there is none. */
export type NamedComparison =
  | { kind: 'compared'; json: string }
  | { kind: 'prompt-error'; code: string; where: string; problem: string; fix: string }
  | { kind: 'failed'; problem: string }

/** Opens two runs and compares them. */
export function compareNamed(names: SideNames): NamedComparison {
  const opened: OpenRun[] = []
  const open = ({ folder, model }: SideName) => {
    const run = new OpenRun(folder)
    opened.push(run)
    return run.side(model)
  }
  try {
    return { kind: 'compared', json: JSON.stringify(compareSides(open(names[0]), open(names[1]))) }
  } catch (error) {
    if (!(error instanceof PromptError)) return { kind: 'failed', problem: String(error) }
    const { code, where, problem, fix } = error
    return { kind: 'prompt-error', code, where, problem, fix }
  } finally {
    for (const run of opened) run.close()
  }
}
