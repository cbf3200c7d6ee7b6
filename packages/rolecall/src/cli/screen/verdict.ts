import { isSignificant, isTooFew, showP } from '../../evaluation/run/record/compare-models.ts'
import { signed } from '../../evaluation/run/record/round.ts'
import type { ModelComparison, PairResult } from '../../evaluation/run/record/run-record.ts'
import { digitsOf } from '../../evaluation/run/record/show-metric.ts'
import type { Grid, ScreenRow, Tone } from './blocks.ts'
import { widthOf } from './fit-text.ts'

/** Two results on the same rows: their names on the screen, and their difference. */
export type NamedComparison = {
  names: readonly [first: string, second: string]
  compared: ModelComparison
  /** Where both stand on the other axes, if those vary. */
  on?: string
  /** The first's result, if all its rows are compared: then it is known how many rows both have right. */
  first?: PairResult | undefined
}

/** Longer pairs of names make way for `second − first`. */
const widestNames = 34

/**
 * `weak − good  −20.3  [−26.3, −14.0]  p < 0.001  significant`, a line for each comparison, with the rows behind a single one. `more`: further
 * lines below it.
 */
export function verdictGrid(comparisons: readonly NamedComparison[], more: readonly string[] = []): Grid {
  const isOne = comparisons.length === 1
  return {
    kind: 'grid',
    columns: [{ mayShorten: true }, { isNumber: true }, { isNumber: true }, { mayDrop: true }, {}],
    rows: [
      ...comparisons.map((comparison) => verdictRow(comparison, isOne)),
      ...(isOne ? comparisons.flatMap(rowsBehind) : adjustedText(comparisons)).map((below): ScreenRow => ({ below })),
      ...more.map((below): ScreenRow => ({ below })),
    ],
  }
}

function verdictRow({ names: [first, second], on, compared }: NamedComparison, isOne: boolean): ScreenRow {
  const { difference, interval, unit } = compared
  const digits = digitsOf(unit)
  const name =
    isOne && widthOf(`${second} − ${first}`) > widestNames ? 'second − first' : `${on === undefined ? '' : `${on}: `}${second} − ${first}`
  const { word, tone } = verdictOf(compared)
  const isSame = difference === 0 && interval.low === 0 && interval.high === 0
  return {
    cells: [
      { text: name },
      { text: signed(difference, digits), tone: 'strong' },
      ...(isSame
        ? [{ text: '' }, { text: '' }, { text: word }]
        : [
            { text: `[${signed(interval.low, digits)}, ${signed(interval.high, digits)}]` },
            { text: probabilityText(compared) },
            { text: word, ...(tone === undefined ? {} : { tone }) },
          ]),
    ],
  }
}

/** What a difference says, in the words that every screen uses. */
export function verdictOf(compared: ModelComparison): { word: string; tone?: Tone } {
  const { difference, interval } = compared
  if (isTooFew(compared)) return { word: `too few rows to tell (${compared.rows})` }
  if (interval.low === interval.high) return { word: difference === 0 ? 'no row differs' : 'the same in every row' }
  return isSignificant(compared) ? { word: 'significant', tone: 'strong' } : { word: 'may be chance', tone: 'quiet' }
}

/** `p < 0.001`, adjusted for the number of tests. */
export function probabilityText({ p, adjusted, mcnemar }: ModelComparison): string {
  const value = adjusted?.p ?? p ?? mcnemar?.p
  if (value === undefined) return ''
  return value < 0.001 ? 'p < 0.001' : `p = ${showP(value)}`
}

/** `right: both 177, only good 85, only weak 24, neither 14`; without those that are none. */
function rowsBehind({ names: [first, second], compared, first: result }: NamedComparison): string[] {
  const { mcnemar, rows, direction } = compared
  const lower = direction === 'lower' ? ['lower is better'] : []
  if (!mcnemar) return lower
  const { onlyFirst, onlySecond } = mcnemar
  const both = rightInBoth(result, rows, onlyFirst)
  const counts = [
    ...(both === undefined ? [] : [['both', both] as const]),
    [`only ${first}`, onlyFirst] as const,
    [`only ${second}`, onlySecond] as const,
    ...(both === undefined ? [] : [['neither', rows - both - onlyFirst - onlySecond] as const]),
  ].filter(([, count]) => count > 0)
  return counts.length === 0 ? lower : [`right: ${counts.map(([who, count]) => `${who} ${count}`).join(', ')}`, ...lower]
}

function rightInBoth(result: PairResult | undefined, rows: number, onlyFirst: number): number | undefined {
  if (result?.value === undefined || result.unit !== 'percent' || result.isMeanOfRows === false) return undefined
  const scored = result.rows - result.failed - (result.answers.noGold ?? 0)
  return scored === rows ? Math.round((result.value * rows) / 100) - onlyFirst : undefined
}

/** `3 tests, p adjusted (Holm)`; nothing for a single test. */
export function adjustedText(comparisons: readonly Pick<NamedComparison, 'compared'>[]): string[] {
  const tests = comparisons.find(({ compared }) => compared.adjusted !== undefined)?.compared.adjusted?.tests ?? 0
  return tests > 1 ? [`${tests} tests, p adjusted (Holm)`] : []
}
