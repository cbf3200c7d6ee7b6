import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { adjustForNumber, compareRows, pairRows, type RowPair, type RunComparison } from '../../evaluation/run/record/compare-rows.ts'
import { distinctModels, isSameModel, pairText } from '../../evaluation/run/record/pair-name.ts'
import type { RowDifference } from '../../evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import { openRecords, type Records } from './records/records.ts'
import { type PairFiles, type RunInfo, readResult, readRunInfo } from './run-layout.ts'

/** A row that changed between two runs: its score, or only its prompt, answer or parsed answer. */
export type ChangedRow = {
  change: 'better' | 'worse' | 'otherwise'
  differs: readonly RowDifference[]
  first: RowRecord
  second: RowRecord
}

/** Two runs compared pair by pair: metric differences and changed rows. */
export type ComparedRuns = { comparison: RunComparison; examples: readonly ChangedRow[] }[]

type Side = { folder: string; info: RunInfo }

/**
 * Compares two runs row by row. Rows are matched by content, because a dataset may have grown or been reordered; models by name, or
 * with each other if both runs have a single model.
 */
export function compareRunFolders(first: string, second: string, mostExamples = 3): ComparedRuns {
  const sides = [first, second].map((folder): Side => ({ folder, info: readRunInfo(folder) })) as [Side, Side]
  const matched = matchPairs(sides[0].info.pairs, sides[1].info.pairs)
  if (matched.length === 0) {
    const names = sides.map(({ info }) => info.pairs.map(pairText).join(', '))
    throw new PromptError('nothing-to-compare', {
      where: `${first}, ${second}`,
      problem: `they have no model and dataset in common (${names.join(' | ')})`,
      fix: 'compare runs of the same datasets with the same model names, or with one model each',
    })
  }
  const compared = matched.flatMap(([one, other]) => comparePair(sides, one, other, mostExamples))
  const adjusted = adjustForNumber(compared.map(({ comparison }) => comparison))
  return compared.map(({ examples }, place) => ({ comparison: adjusted[place]!, examples }))
}

/** The pairs that only one of the runs has, as "model on dataset". */
export function unmatchedPairs(first: string, second: string): { first: string[]; second: string[] } {
  const [one, other] = [readRunInfo(first).pairs, readRunInfo(second).pairs]
  const matched = new Set(matchPairs(one, other).flat())
  const rest = (pairs: readonly PairFiles[]) => pairs.filter((pair) => !matched.has(pair)).map(pairText)
  return { first: rest(one), second: rest(other) }
}

function matchPairs(first: readonly PairFiles[], second: readonly PairFiles[]): [PairFiles, PairFiles][] {
  const areSingle = [first, second].every((pairs) => distinctModels(pairs).length === 1)
  return first.flatMap((one) => {
    const other = second.find((pair) => pair.dataset === one.dataset && (areSingle || isSameModel(pair, one)))
    return other ? [[one, other] as [PairFiles, PairFiles]] : []
  })
}

function comparePair([first, second]: [Side, Side], one: PairFiles, other: PairFiles, mostExamples: number): ComparedRuns {
  const files = [join(first.folder, one.predictions), join(second.folder, other.predictions)] as const
  if (!files.every((file) => existsSync(file))) return []
  const [left, right] = files.map((file) => openRecords(file)) as [Records, Records]
  try {
    const results = [readResult(first.folder, one), readResult(second.folder, other)] as const
    const paired = pairRows(each(left), each(right), results)
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

function* each(records: Records): Generator<RowRecord> {
  for (let place = 0; place < records.count; place++) yield records.read(place, place + 1)[0]!
}

function pairsOf(pairs: readonly RowPair[], ids: readonly number[]): RowPair[] {
  return ids.map((id) => pairs.find(({ first }) => first.id === id)!)
}
