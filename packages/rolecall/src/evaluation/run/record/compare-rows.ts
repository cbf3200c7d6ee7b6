import { type Direction, gain } from '../../score/evaluate/metric.ts'
import { adjust, comparedNames, compareScores } from './compare-models.ts'
import { whyNotCompared } from './main-metric.ts'
import type { OutcomeCounts } from './outcome.ts'
import type { ModelName } from './pair-name.ts'
import { type Differences, differencesOf, markOf, type RowDifference, type RowMark, sumDifferences } from './row-differences.ts'
import type { ModelComparison, PairResult, RowRecord } from './run-record.ts'

/** The same row in two runs. */
export type RowPair = { rowHash: string; first: RowMark; second: RowMark; differs: readonly RowDifference[] }

export type ComparedAnswers = { answers: OutcomeCounts; reasoned: number; rows: number }

/** One model on one dataset in one run, and in the other. */
export type RunComparison = {
  dataset: string
  models: readonly [first: string, second: string]
  /** The formats that replaced the models' own; undefined if neither was replaced. */
  formats?: readonly [first: string | undefined, second: string | undefined]
  unit: PairResult['unit']
  /** Whether higher or lower values are better. */
  direction: Direction
  /** Rows that both have. */
  rows: number
  onlyInFirst: number
  onlyInSecond: number
  /** Rows that both have and that a reviewer excluded: they count nowhere here. Absent if there are none. */
  excluded?: number
  /** How the runs were scored, if differently. Their scores are not compared then. */
  metrics?: readonly [first: string, second: string]
  /** The metric in both runs, if it is not the mean of the rows' scores. */
  figures?: { metric: string; first: number; second: number }
  /** The comparison of the rows' scores. Undefined if no row has a score in both, or if all rows are in one cluster. */
  comparison?: ModelComparison
  /** The column of the clusters, if all rows are in one: their differences have no standard error. */
  oneCluster?: string
  /** Rows by index in the first run: those that became right or better, and wrong or worse. */
  better: readonly number[]
  worse: readonly number[]
  /** Whether prompts, answers or only the scoring differ, and in how many rows. */
  differs: Differences
  /** The outcomes of the answers in both runs, and in how many rows reasoning was separated. */
  answers?: readonly [first: ComparedAnswers | undefined, second: ComparedAnswers | undefined]
  /** Rows by index in the first run whose prompt, answer or reading changed without changing the score. */
  otherwise: readonly number[]
  /** Rows with a different answer and the same score. */
  otherAnswers: number
  /** Rows with a different prompt. */
  otherPrompts: number
  /** Rows without an answer in the first run only, and in the second only. */
  failedInFirst: number
  failedInSecond: number
}

/** A model on a dataset in two runs: its results, if known. */
export type TwoResults = readonly [first: PairResult | undefined, second: PairResult | undefined]

/**
 * Whether a pair was excluded. Of rows with the same content, only those with the excluded numbers: the original of a duplicate counts. Rows
 * that have other numbers by now are all excluded.
 */
export function exclusionOf(pairs: readonly RowPair[], [first, second]: readonly [ExcludedRows, ExcludedRows]): (pair: RowPair) => boolean {
  const sides = [
    { rows: first, idOf: (pair: RowPair) => pair.first.id },
    { rows: second, idOf: (pair: RowPair) => pair.second.id },
  ].map(({ rows, idOf }) => {
    const known = new Set(pairs.filter((pair) => rows.get(pair.rowHash)?.has(idOf(pair))).map(({ rowHash }) => rowHash))
    return (pair: RowPair) => {
      const numbers = rows.get(pair.rowHash)
      return numbers !== undefined && (numbers.has(idOf(pair)) || !known.has(pair.rowHash))
    }
  })
  return (pair) => sides.some((isExcluded) => isExcluded(pair))
}

/** The rows that both runs have, without those that were excluded, and how many are left. */
export type PairedRows = { pairs: RowPair[]; onlyInFirst: number; onlyInSecond: number; excluded?: number }

/** The rows of a dataset that reviewers of a run excluded: by `row_hash`, their numbers. */
export type ExcludedRows = ReadonlyMap<string, ReadonlySet<number>>

/** Leaves out rows that reviewers excluded in either run. */
export function withoutExcluded(paired: PairedRows, excluded: readonly [ExcludedRows, ExcludedRows]): PairedRows {
  const isExcluded = exclusionOf(paired.pairs, excluded)
  const pairs = paired.pairs.filter((pair) => !isExcluded(pair))
  const left = paired.pairs.length - pairs.length
  return left === 0 ? paired : { ...paired, pairs, excluded: left }
}

/** Pairs the rows of two runs by their content; duplicates are paired in order. */
export function pairRows(
  first: Iterable<RowRecord>,
  second: Iterable<RowRecord>,
  results: TwoResults = [undefined, undefined],
): PairedRows {
  const cluster = clusterColumn(results)
  // `next` instead of `shift`: with many duplicates, shifting would move all others each time.
  const waiting = new Map<string, { marks: RowMark[]; next: number }>()
  let onlyInFirst = 0
  for (const record of first) {
    const known = waiting.get(record.row_hash)
    if (known) known.marks.push(markOf(record, cluster))
    else waiting.set(record.row_hash, { marks: [markOf(record, cluster)], next: 0 })
    onlyInFirst++
  }
  const pairs: RowPair[] = []
  let onlyInSecond = 0
  for (const record of second) {
    const known = waiting.get(record.row_hash)
    const mark = known?.marks[known.next]
    if (known && mark) {
      known.next++
      const now = markOf(record, cluster)
      pairs.push({ rowHash: record.row_hash, first: mark, second: now, differs: differencesOf(mark, now) })
    } else onlyInSecond++
  }
  return { pairs: pairs.sort((one, other) => one.first.id - other.first.id), onlyInFirst: onlyInFirst - pairs.length, onlyInSecond }
}

export type PairToCompare = {
  dataset: string
  models: readonly [first: ModelName, second: ModelName]
  results: TwoResults
  paired: PairedRows
}

function clusterColumn([first, second]: TwoResults): string | undefined {
  return first?.cluster ?? second?.cluster
}

/** Adds p values that account for the number of pairs that two runs are compared on. */
export function adjustForNumber<Compared extends Pick<RunComparison, 'comparison'>>(pairs: readonly Compared[]): Compared[] {
  const adjusted = adjust(pairs.flatMap(({ comparison }) => comparison ?? [])).values()
  return pairs.map((pair) => (pair.comparison ? { ...pair, comparison: adjusted.next().value } : pair))
}

/** What changed from one run to another. */
export function compareRows({
  dataset,
  models,
  results,
  paired: { pairs, onlyInFirst, onlyInSecond, excluded },
}: PairToCompare): RunComparison {
  const [one, other] = results
  const [first, second] = models
  const unit = one?.unit ?? other?.unit ?? 'percent'
  const areAlike = !one || !other || whyNotCompared(one, other) === undefined
  const { direction = 'higher' } = one ?? other ?? {}
  const scored = areAlike ? pairs.filter(({ first, second }) => Number.isFinite(first.score) && Number.isFinite(second.score)) : []
  const change = ({ first, second }: RowPair) => gain(first.score!, second.score!, direction)
  const count = (test: (pair: RowPair) => boolean) => pairs.filter(test).length
  return {
    dataset,
    models: [first.model, second.model],
    ...(first.format === undefined && second.format === undefined ? {} : { formats: [first.format, second.format] as const }),
    unit,
    direction,
    rows: pairs.length,
    onlyInFirst,
    onlyInSecond,
    ...(excluded === undefined ? {} : { excluded }),
    ...(areAlike ? figuresOf(one, other) : { metrics: [one.metric, other.metric] as const }),
    ...(scored.length > 0 ? comparisonOf(scored, dataset, models, { ...(one ?? other), unit, direction }, clusterColumn(results)) : {}),
    better: scored.filter((pair) => change(pair) > 0).map(({ first }) => first.id),
    worse: scored.filter((pair) => change(pair) < 0).map(({ first }) => first.id),
    differs: sumDifferences(
      pairs.map(({ differs }) => differs),
      areAlike,
    ),
    ...(one || other ? { answers: [answersOf(one), answersOf(other)] as const } : {}),
    otherwise: pairs
      .filter(({ first, second, differs }) => differs.length > 0 && (!areAlike || Object.is(first.score, second.score)))
      .map(({ first }) => first.id),
    otherAnswers: scored.filter((pair) => change(pair) === 0 && pair.first.prediction !== pair.second.prediction).length,
    otherPrompts: count(({ differs }) => differs.includes('prompt')),
    failedInFirst: count(({ first, second }) => first.failed && !second.failed),
    failedInSecond: count(({ first, second }) => second.failed && !first.failed),
  }
}

/** Why rows of one cluster are not compared. */
export function oneClusterText(column: string): string {
  return `not compared: all rows are in one group (cluster: ${column}), and their differences have no standard error`
}

function answersOf(result: PairResult | undefined): ComparedAnswers | undefined {
  return result && { answers: result.answers, reasoned: result.reasoned ?? 0, rows: result.rows }
}

function figuresOf(first: PairResult | undefined, second: PairResult | undefined): Pick<RunComparison, 'figures'> {
  if (first?.isMeanOfRows !== false || first.value === undefined || second?.value === undefined) return {}
  return { figures: { metric: first.metric, first: first.value, second: second.value } }
}

function comparisonOf(
  scored: readonly RowPair[],
  dataset: string,
  [first, second]: PairToCompare['models'],
  metric: Pick<PairResult, 'unit' | 'direction'> & { kind?: PairResult['kind'] },
  cluster: string | undefined,
): Pick<RunComparison, 'comparison' | 'oneCluster'> {
  const compared = compareScores(
    scored.map((pair) => pair.first.score!),
    scored.map((pair) => pair.second.score!),
    metric,
    // Only one of the runs may have recorded the column.
    cluster === undefined ? undefined : scored.map((pair) => pair.first.cluster ?? pair.second.cluster),
  )
  if (!compared) return cluster === undefined ? {} : { oneCluster: cluster }
  const { unit, direction } = metric
  return { comparison: { ...compared, dataset, unit, direction, ...comparedNames(first, second) } }
}
