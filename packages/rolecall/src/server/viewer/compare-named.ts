import { compareSides } from './compare-sides.ts'
import { failedAnswer, type NamedAnswer } from './named-answer.ts'
import { OpenRun } from './open-run.ts'

/** A run by its folder, or one of its models by number. */
export type SideName = { folder: string; model: number | undefined }

export type SideNames = readonly [first: SideName, second: SideName]

/** Opens two runs and compares them. */
export function compareNamed(names: SideNames): NamedAnswer {
  const opened: OpenRun[] = []
  const open = ({ folder, model }: SideName) => {
    const run = new OpenRun(folder)
    opened.push(run)
    return run.side(model)
  }
  try {
    return { kind: 'answered', json: JSON.stringify(compareSides(open(names[0]), open(names[1]))) }
  } catch (error) {
    return failedAnswer(error)
  } finally {
    for (const run of opened) run.close()
  }
}
