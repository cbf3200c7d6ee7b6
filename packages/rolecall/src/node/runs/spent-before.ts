import type { Budget } from '../../evaluation/run/budget.ts'
import type { Pair } from '../../evaluation/run/plan-run.ts'
import { replacedAnswers } from './replaced-answers.ts'
import type { RunFolder } from './run-folder.ts'
import { RunReader } from './run-reader.ts'

/** Counts what earlier parts of the run have spent, by their records. */
export function countSpentBefore(budget: Budget, { path, info }: Pick<RunFolder, 'path' | 'info'>, pairs: readonly Pair[]): void {
  const run = new RunReader(path, info)
  for (const pair of pairs) {
    const recorded = run.find(pair.name)
    if (recorded?.hasRecords) for (const record of recorded.rows()) budget.recorded(pair, record)
    for (const { tokens, judge_tokens, partial } of replacedAnswers(path, pair.name)) {
      if (partial && tokens) budget.partial(pair, tokens)
      else budget.replaced(pair, tokens, judge_tokens)
    }
  }
}
