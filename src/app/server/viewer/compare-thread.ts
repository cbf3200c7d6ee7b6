import { PromptError } from '../../../base/errors/prompt-error.ts'
import { KillableThread } from '../../node/killable-thread.ts'
import type { NamedComparison, SideName, SideNames } from './compare-named.ts'
import { compareSides } from './compare-sides.ts'
import type { OpenRun } from './open-run.ts'

/** Fewer rows are compared here: that takes less time than starting a thread. */
const fewRows = 5000

/** For the marks of all rows; much more than 1,000,000 rows need. */
const megabytes = 4096
const mostSeconds = 600

type Side = { run: OpenRun; model: number | undefined }

/** Compares runs, large ones in a thread. */
export class CompareThread {
  readonly #thread = new KillableThread<undefined, SideNames, NamedComparison>({
    script: 'app/server/viewer/compare-worker',
    megabytes,
    begin: () => undefined,
  })

  /** The comparison as JSON; `signal`: the page was left. */
  async compare(first: Side, second: Side, signal?: AbortSignal): Promise<string> {
    const sides = [first.run.side(first.model), second.run.side(second.model)] as const
    const rows = sides.flatMap(({ pairs, records }) => pairs.map(({ number }) => records(number)?.count ?? 0))
    if (rows.reduce((sum, count) => sum + count, 0) <= fewRows) return JSON.stringify(compareSides(...sides))
    const name = ({ run, model }: Side): SideName => ({ folder: run.folder, model })
    const answer = await this.#thread.ask(() => [name(first), name(second)], { client: 'viewer', signal, seconds: mostSeconds })
    switch (answer.kind) {
      case 'compared':
        return answer.json
      case 'prompt-error':
        throw new PromptError(answer.code, answer)
      case 'stopped':
        throw new PromptError('too-large', {
          where: 'the comparison',
          problem: `it takes more than ${answer.reason === 'time' ? `${mostSeconds} s` : `${megabytes} MB of memory`}`,
          fix: 'compare models of the runs instead of whole runs, or use `rolecall compare`',
        })
      case 'failed':
        throw new Error(answer.problem)
      default:
        return answer satisfies never
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop()
  }
}
