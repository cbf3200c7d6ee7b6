import { PromptError } from '@rolecall/core/internal/errors'
import {
  adjustForNumber,
  compareRows,
  type ExcludedRows,
  pairRows,
  type RowPair,
  type RunComparison,
  withoutExcluded,
} from '../../evaluation/run/record/compare-rows.ts'
import { distinctModels, isSameModel, type PairName, pairText } from '../../evaluation/run/record/pair-name.ts'
import type { RowDifference } from '../../evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import { excludedRows } from './annotations/excluded-rows.ts'
import { openRun, type RunPair, type RunReader } from './run-reader.ts'

/** A row that changed between two runs: its score, or only its prompt, answer or parsed answer. */
export type ChangedRow = {
  change: 'better' | 'worse' | 'otherwise'
  differs: readonly RowDifference[]
  first: RowRecord
  second: RowRecord
}

/** Two runs compared pair by pair: metric differences and changed rows. */
export type ComparedRuns = { comparison: RunComparison; examples: readonly ChangedRow[] }[]

/**
 * Compares two runs row by row. Rows are matched by content, because a dataset may have grown or been reordered; models by name, or
 * with each other if both runs have a single model.
 */
export function compareRunFolders(first: string, second: string, mostExamples = 3): ComparedRuns {
  return compareRuns(openRun(first), openRun(second), mostExamples)
}

/** The same for opened runs. */
export function compareRuns(first: RunReader, second: RunReader, mostExamples: number): ComparedRuns {
  const matched = matchPairs(first.pairs, second.pairs)
  if (matched.length === 0) {
    const names = [first, second].map(({ pairs }) => pairs.map(pairText).join(', '))
    throw new PromptError('nothing-to-compare', {
      where: `${first.folder}, ${second.folder}`,
      problem: `they have no model and dataset in common (${names.join(' | ')})`,
      fix: 'compare runs of the same datasets with the same model names, or with one model each',
    })
  }
  const compared = matched.flatMap(([one, other]) => {
    const excluded = [excludedRows(first, one.dataset), excludedRows(second, other.dataset)] as const
    return comparePair(one, other, excluded, mostExamples)
  })
  const adjusted = adjustForNumber(compared.map(({ comparison }) => comparison))
  return compared.map(({ examples }, place) => ({ comparison: adjusted[place]!, examples }))
}

/** The pairs that only one of the runs has, as "model on dataset". */
export function unmatchedPairs(first: readonly PairName[], second: readonly PairName[]): { first: string[]; second: string[] } {
  const matched = new Set(matchPairs(first, second).flat())
  const rest = (pairs: readonly PairName[]) => pairs.filter((pair) => !matched.has(pair)).map(pairText)
  return { first: rest(first), second: rest(second) }
}

/** The pairs of two runs that are compared: on the same dataset, of the same model, or of the only one in each. */
export function matchPairs<Pair extends PairName>(first: readonly Pair[], second: readonly Pair[]): [Pair, Pair][] {
  const areSingle = [first, second].every((pairs) => distinctModels(pairs).length === 1)
  return first.flatMap((one) => {
    const other = second.find((pair) => pair.dataset === one.dataset && (areSingle || isSameModel(pair, one)))
    return other ? [[one, other] as [Pair, Pair]] : []
  })
}

function comparePair(one: RunPair, other: RunPair, excluded: readonly [ExcludedRows, ExcludedRows], mostExamples: number): ComparedRuns {
  if (!one.hasRecords || !other.hasRecords) return []
  const [left, right] = [one.scoredRecords(), other.scoredRecords()]
  try {
    const results = [one.result(), other.result()] as const
    const paired = withoutExcluded(pairRows(left.rows(), right.rows(), results), excluded)
    const comparison = compareRows({ dataset: one.dataset, models: [one, other], results, paired })
    const examples = (['worse', 'better', 'otherwise'] as const).flatMap((change) =>
      pairsOf(paired.pairs, comparison[change].slice(0, mostExamples)).map(
        (pair): ChangedRow => ({
          change,
          differs: pair.differs,
          first: left.find(pair.first.id)!,
          second: right.find(pair.second.id)!,
        }),
      ),
    )
    return [{ comparison, examples }]
  } finally {
    left.close()
    right.close()
  }
}

function pairsOf(pairs: readonly RowPair[], ids: readonly number[]): RowPair[] {
  return ids.map((id) => pairs.find(({ first }) => first.id === id)!)
}
