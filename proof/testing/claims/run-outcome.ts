import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { isDataMissing, type ReadyWord } from '../../../packages/rolecall/src/evaluation/run/readiness.ts'
import type { EvaluationRun } from '../../../packages/rolecall/src/node/runs/evaluation-options.ts'

/** What a run did: the word it amounts to, or what contradicts every word. */
export type RunOutcome = { word: ReadyWord | 'every row failed' | 'crashed'; why?: string }

/** Runs, and says what happened. */
export async function outcomeOf(run: () => Promise<EvaluationRun>): Promise<RunOutcome> {
  try {
    const { summary } = await run()
    const failed = summary.results.find(({ rows, failed: count, answers }) => rows > 0 && count === rows && answers.notDecided === 0)
    return failed ? { word: 'every row failed', why: failed.dataset } : { word: 'ready' }
  } catch (error) {
    if (!(error instanceof PromptError)) return { word: 'crashed', why: String((error as Error)?.stack ?? error).slice(0, 400) }
    return { word: isDataMissing(error) ? 'not checked' : 'cannot run', why: error.message }
  }
}

/** A claim about a config or task, and what `run` did. */
export type Claim = { name: string; data: 'absent' | 'made up'; said: ReadyWord; cause?: string | undefined; did: RunOutcome }

/** A claim is true if the run did what the word says. */
export function isTrue({ said, did }: Claim): boolean {
  return said === did.word
}

/** Counts by data and word, then the claims that are not true. */
export function claimLines(title: string, claims: readonly Claim[]): string[] {
  const lines = (['absent', 'made up'] as const).map((data) => {
    const own = claims.filter((claim) => claim.data === data)
    const count = (word: ReadyWord) => own.filter(({ said }) => said === word).length
    const wrong = own.filter((claim) => !isTrue(claim)).length
    return `${title}, data ${data}: ${own.length} compared with a run: ${count('ready')} ready, ${count('not checked')} not checked, ${count('cannot run')} cannot run; ${wrong} contradictions`
  })
  const wrong = claims.filter((claim) => !isTrue(claim))
  return [
    ...lines,
    ...wrong.map(
      ({ name, data, said, cause, did }) =>
        `  ${name} (data ${data}): said "${said}"${cause ? ` (${cause})` : ''}, but the run: ${did.word} ${did.why ?? ''}`,
    ),
  ]
}
