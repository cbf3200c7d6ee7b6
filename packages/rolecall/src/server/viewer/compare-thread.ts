import { PromptError } from '@rolecall/core/internal/errors'
import { KillableThread, type Stopped } from '../../node/killable-thread.ts'
import type { SideName } from './compare-named.ts'
import { compareSides } from './compare-sides.ts'
import type { CompareQuestion } from './compare-worker.ts'
import { type ExplainedGroups, type ExplainedNames, explainNamed, explainNamedGroups } from './explain-named.ts'
import type { NamedAnswer } from './named-answer.ts'
import type { OpenRun } from './open-run.ts'

/** Fewer rows are compared here: that takes less time than starting a thread. */
const fewRows = 5000
/** Explaining compares the texts of rows: 500 rows take 0.3 s, with long texts 4 s, in which nothing else is answered. */
const fewExplained = 50

/** For the marks of all rows; much more than 1,000,000 rows need. */
const megabytes = 4096
const mostSeconds = 600
/** Milliseconds an idle thread stays: starting one takes a second, but it keeps the memory of its largest comparison. */
const idleAfter = 60_000

type Side = { run: OpenRun; model: number | undefined }

/** Compares and explains runs, large ones in a thread. */
export class CompareThread {
  readonly #thread = new KillableThread<undefined, CompareQuestion, NamedAnswer>({
    script: 'server/viewer/compare-worker',
    megabytes,
    // Prompts that were not recorded are rendered from rows, which may be in the cache of a hub.
    env: process.env,
    begin: () => undefined,
  })
  #asked = 0
  #idle: NodeJS.Timeout | undefined

  /** The comparison as JSON; `signal`: the page was left. */
  async compare(first: Side, second: Side, signal?: AbortSignal): Promise<string> {
    const sides = [first.run.side(first.model), second.run.side(second.model)] as const
    const rows = sides.flatMap(({ pairs, records }) => pairs.map(({ number }) => records(number)?.count ?? 0))
    if (rows.reduce((sum, count) => sum + count, 0) <= fewRows) return JSON.stringify(compareSides(...sides))
    const name = ({ run, model }: Side): SideName => ({ folder: run.folder, model })
    return this.#ask({ compare: [name(first), name(second)] }, 'the comparison', 'rolecall compare', signal)
  }

  /** Why two pairs with this many rows differ, as JSON. */
  async explain(names: ExplainedNames, rows: number, signal?: AbortSignal): Promise<string> {
    if (rows <= fewExplained) return jsonOf(await explainNamed(names), 'the explanation', 'rolecall why')
    return this.#ask({ explain: names }, 'the explanation', 'rolecall why', signal)
  }

  /** Why groups of datasets with this many rows differ, as JSON. */
  async explainGroups(groups: ExplainedGroups, rows: number, signal?: AbortSignal): Promise<string> {
    if (rows <= fewExplained) return jsonOf(await explainNamedGroups(groups), 'the explanation', 'rolecall why')
    return this.#ask({ explainGroups: groups }, 'the explanation', 'rolecall why', signal)
  }

  async #ask(question: CompareQuestion, where: string, command: string, signal: AbortSignal | undefined): Promise<string> {
    this.#asked++
    clearTimeout(this.#idle)
    try {
      return jsonOf(await this.#thread.ask(() => question, { client: 'viewer', signal, seconds: mostSeconds }), where, command)
    } finally {
      if (--this.#asked === 0) this.#idle = setTimeout(() => void this.#thread.stop(), idleAfter).unref()
    }
  }

  stop(): Promise<void> {
    clearTimeout(this.#idle)
    return this.#thread.stop()
  }
}

function jsonOf(answer: NamedAnswer | Stopped, where: string, command: string): string {
  switch (answer.kind) {
    case 'answered':
      return answer.json
    case 'prompt-error':
      throw new PromptError(answer.code, answer)
    case 'stopped':
      throw new PromptError('too-large', {
        where,
        problem: `it takes more than ${answer.reason === 'time' ? `${mostSeconds} s` : `${megabytes} MB of memory`}`,
        fix: `choose a model of each run instead of whole runs, or use \`${command}\``,
      })
    case 'failed':
      throw new Error(answer.problem)
    default:
      return answer satisfies never
  }
}
