import { appendFileSync } from 'node:fs'
import { isSamePair, nameOf, type PairName } from '../../evaluation/run/record/pair-name.ts'
import type { ReplacedTokens } from '../../evaluation/run/record/replaced-tokens.ts'
import { fileInRun, textInRun } from './file-in-run.ts'
import { runFiles } from './run-layout.ts'

/** What a run has spent on an answer that its records no longer have: the row failed, or was sent again with another config. */
type ReplacedAnswer = PairName & ReplacedTokens & { id: number }

/** Written at once: the limits of a resumed run count it, also after a crash. */
export function addReplaced(folder: string, name: PairName, id: number, tokens: ReplacedTokens): void {
  appendFileSync(fileInRun(folder, runFiles.replaced), `${JSON.stringify({ ...nameOf(name), id, ...tokens } satisfies ReplacedAnswer)}\n`)
}

/** Those of a pair. A torn last line is skipped. */
export function replacedAnswers(folder: string, name: PairName): ReplacedAnswer[] {
  return (textInRun(folder, runFiles.replaced) ?? '')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as ReplacedAnswer]
      } catch {
        return []
      }
    })
    .filter((one) => isSamePair(one, name))
}
