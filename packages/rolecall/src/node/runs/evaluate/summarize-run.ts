import type { Config } from '../../../evaluation/config/config-schema.ts'
import type { Budget } from '../../../evaluation/run/budget.ts'
import { bestOnAxes } from '../../../evaluation/run/record/best-on-axes.ts'
import { compareGroups } from '../../../evaluation/run/record/compare-groups.ts'
import { compareModels, type ScoredPair } from '../../../evaluation/run/record/compare-models.ts'
import { totalsOf } from '../../../evaluation/run/record/cost.ts'
import { isSamePair } from '../../../evaluation/run/record/pair-name.ts'
import type { ModelComparison, RunSummary } from '../../../evaluation/run/record/run-record.ts'
import { groupResults } from '../../../evaluation/run/record/summary-groups.ts'
import type { RunInfo } from '../run-layout.ts'

/** The summary of all pairs, with comparisons and groups. */
export function summarizeRun(
  { info }: { info: RunInfo },
  scored: readonly ScoredPair[],
  summarizer: Config['summarizer'],
  begin: number,
  budget?: Pick<Budget, 'reached' | 'spent'>,
): RunSummary {
  // Pairs finish in any order; the summary uses that of the config.
  const placeOf = ({ result }: ScoredPair) => info.pairs.findIndex((pair) => isSamePair(pair, result))
  const sorted = [...scored].sort((one, other) => placeOf(one) - placeOf(other))
  const results = sorted.map(({ result }) => result)
  const compared = compareModels(sorted)
  const isOfPrompts = ({ axis }: ModelComparison) => axis === 'prompt' || axis === 'shots'
  const [promptComparisons, comparisons] = [compared.filter(isOfPrompts), compared.filter((one) => !isOfPrompts(one))]
  const { best, interactions } = bestOnAxes(sorted)
  const summaryGroups = summarizer?.summary_groups ?? []
  const groupComparisons = compareGroups(summaryGroups, sorted)
  const { groups, notes } = groupResults(summaryGroups, results)
  return {
    name: info.name,
    started: info.started,
    seconds: (performance.now() - begin) / 1000,
    version: info.rolecall,
    ...(results.length < info.pairs.length ? unfinished(budget) : {}),
    shard: info.options.shard,
    results,
    totals: totalsOf(results),
    ...(comparisons.length > 0 ? { comparisons } : {}),
    ...(promptComparisons.length > 0 ? { promptComparisons } : {}),
    ...(best.length > 0 ? { best } : {}),
    ...(interactions.length > 0 ? { interactions } : {}),
    ...(groupComparisons.length > 0 ? { groupComparisons } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(notes.length > 0 ? { groupNotes: notes } : {}),
    ...(summarizer?.dataset_abbrs ? { shown: summarizer.dataset_abbrs.map((one) => [one].flat()[0]!) } : {}),
  }
}

function unfinished(budget: Pick<Budget, 'reached' | 'spent'> | undefined): Pick<RunSummary, 'unfinished' | 'reached' | 'spent'> {
  const reached = budget?.reached
  return { unfinished: true, ...(reached ? { reached } : {}), ...(budget ? { spent: budget.spent } : {}) }
}
