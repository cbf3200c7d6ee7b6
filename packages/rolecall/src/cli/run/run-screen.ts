import { basename, dirname } from 'node:path'
import { type AxisName, axisNames } from '../../evaluation/config/axes.ts'
import { bestText, interactionText } from '../../evaluation/run/record/best-text.ts'
import { formatSpread, isSignificant } from '../../evaluation/run/record/compare-models.ts'
import { isSamePair } from '../../evaluation/run/record/pair-name.ts'
import type { ModelComparison, PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import {
  placeName,
  placeOf,
  type RunTable,
  runTable,
  type TableCell,
  type TablePlace,
  varyingAxes,
} from '../../evaluation/run/record/run-table.ts'
import { metricLabel, showValue } from '../../evaluation/run/record/show-metric.ts'
import { shownResults } from '../../evaluation/run/record/shown-results.ts'
import { quoteWord } from '../../node/platform.ts'
import { countText, durationText, moneyTexts } from '../screen/amounts.ts'
import type { NextStep, ScreenBlock } from '../screen/blocks.ts'
import { resultsBlock } from '../screen/results-blocks.ts'
import { type NamedComparison, verdictGrid } from '../screen/verdict.ts'
import { type RunNote, runNotes } from './run-notes.ts'

/** What a run reports beside its summary. */
export type RunReport = {
  /** What was evaluated, where nothing else says it. */
  intro?: string
  /** What the mark of answers that were all cut says. */
  cutText?: string
  /** The folder of the results, as it is printed. */
  folder: string
  /** Notes on the run itself, e.g. on rows that could not be reused. */
  remarks: readonly RunNote[]
  /** Rows of this run that were answered before. */
  kept?: number
  /** How the run ends: `600 rows in 2.4 s`, or `600 rows of 3 parts`. */
  done?: string
  /** Whether to show how far a model's figures are apart between its formats. */
  spread?: boolean
  /**
   * What prompts and formats are noted for is what this run is about, as in the quickstart: those notes are only counted. Failures are shown
   * all the same.
   */
  areNotesExpected?: boolean
  /** Results of checks. */
  checks?: readonly ScreenBlock[]
}

/** More notes are only in the summary. */
const mostNotes = 2
/** More of them are only in the summary. */
const mostInteractions = 2
/** More comparisons than this are left to marks and a count. */
const mostVerdicts = 6

const cutMark = '*'
const failedMark = '!'
const cutText = 'every answer was cut: raise max_out_len, or use the format the model knows'

/** What a person sees of a run: the figures, what they say, the two notes that matter most, cost and place. */
export function runScreen(given: RunSummary, report: RunReport): ScreenBlock[] {
  const summary = shownResults(given)
  const { blocks, more } = noteBlocks([...report.remarks, ...groupNotes(summary), ...runNotes(summary, isAllCut)], report.areNotesExpected)
  return [
    ...(report.intro === undefined ? [] : [{ kind: 'prose' as const, text: report.intro }]),
    ...figuresScreen(summary, report),
    {
      kind: 'group',
      blocks: [...blocks, ...(report.checks ?? []), closing(given, report, more)],
    },
  ]
}

/** The figures of a run, and what they say. */
export function figuresScreen(summary: RunSummary, report: Pick<RunReport, 'cutText' | 'spread'> = {}): ScreenBlock[] {
  const { results } = summary
  const table = runTable(summary)
  const differences = differencesFrom(table, summary)
  const marks = {
    of: ({ result }: TableCell) =>
      result === undefined ? undefined : isAllCut(result) ? cutMark : result.failed > 0 ? failedMark : undefined,
    differenceOf: (cell: TableCell) => (isListed(table, allComparisons(summary)) ? undefined : differences.get(cell)),
  }
  return [
    ...(results.length === 0 ? [] : [resultsBlock(table, marks)]),
    ...furtherFigures(results, table),
    ...spreadOf(results, report),
    { kind: 'group', blocks: [...legend(results, report), ...verdicts(table, summary, differences)] },
  ]
}

/** Whether no answer of a pair ended by itself. */
export function isAllCut({ cut, rows }: PairResult): boolean {
  return rows > 0 && cut === rows
}

function legend(results: readonly PairResult[], { cutText: text = cutText }: Pick<RunReport, 'cutText'>): ScreenBlock[] {
  return results.some(isAllCut) ? [{ kind: 'label', label: cutMark, tone: 'attention', gap: 1, texts: [text] }] : []
}

/** Secondary metrics of a single dataset; those of several are in the summary. */
function furtherFigures(results: readonly PairResult[], table: RunTable): ScreenBlock[] {
  const figures = new Map(results.flatMap(({ beside = [] }) => beside.map((figure) => [figure.metric, figure] as const)))
  if (figures.size === 0) return []
  if (table.axes.data.length > 1 || figures.size > 4)
    return [{ kind: 'prose', text: `${countText(figures.size, 'further metric')} in summary/summary.md`, tone: 'quiet' }]
  const axes = varyingAxes(table)
  return [
    {
      kind: 'grid',
      columns: [
        { mayShorten: true },
        ...[...figures.values()].map((figure) => ({
          title: metricLabel({ ...figure, metric: figure.metric.replaceAll('_', ' ') }),
          isNumber: true,
        })),
      ],
      rows: results.map((result) => ({
        cells: [
          { text: placeName(placeOf(result), axes.length > 0 ? axes : ['model']) },
          ...[...figures.keys()].map((name) => {
            const figure = result.beside?.find(({ metric }) => metric === name)
            return { text: figure ? showValue(figure) : '–' }
          }),
        ],
      })),
    },
  ]
}

/** More lines than this would repeat the table. */
const mostSpreads = 4

function spreadOf(results: readonly PairResult[], { spread = false }: Pick<RunReport, 'spread'>): ScreenBlock[] {
  const lines = spread ? formatSpread(results) : []
  return lines.length === 0 || lines.length > mostSpreads ? [] : [{ kind: 'group', blocks: lines.map((text) => ({ kind: 'prose', text })) }]
}

/** Those along every axis. */
function allComparisons({ promptComparisons = [], comparisons = [] }: RunSummary): readonly ModelComparison[] {
  return promptComparisons.length === 0 ? comparisons : [...promptComparisons, ...comparisons]
}

/** The differences of the other lines of a matrix from its first. */
function differencesFrom(table: RunTable, summary: RunSummary): Map<TableCell, ModelComparison> {
  const [reference] = table.cells
  const found = new Map<TableCell, ModelComparison>()
  if (!reference) return found
  const names = (at: TablePlace) => placeName(at, axisNames)
  const isAt = (cell: TableCell, at: TablePlace) => names(cell.at) === names(at)
  for (const compared of [...allComparisons(summary), ...(summary.groupComparisons ?? [])]) {
    const [first, second] = placesOf(compared)
    // Without places of their own, models are compared with the first one on every dataset.
    if (!isAt(reference, compared.at ? first : { ...first, data: reference.at.data })) continue
    const cell = table.cells.find((one) => isAt(one, second))
    if (cell) found.set(cell, compared)
  }
  return found
}

function placesOf({ first, firstFormat, second, secondFormat, dataset, at }: ModelComparison): readonly [TablePlace, TablePlace] {
  return [
    placeOf({ model: first, format: firstFormat, dataset, axes: at?.[0] }),
    placeOf({ model: second, format: secondFormat, dataset, axes: at?.[1] }),
  ]
}

/** What the figures say: each comparison where they are few, else how many differ from the first line. */
function verdicts(table: RunTable, summary: RunSummary, differences: ReadonlyMap<TableCell, ModelComparison>): ScreenBlock[] {
  const comparisons = allComparisons(summary)
  if (comparisons.length === 0 && differences.size === 0) return []
  return [...verdictsOfPairs(table, summary, comparisons, differences), ...bestLines(summary)]
}

function verdictsOfPairs(
  table: RunTable,
  { results }: RunSummary,
  comparisons: readonly ModelComparison[],
  differences: ReadonlyMap<TableCell, ModelComparison>,
): ScreenBlock[] {
  if (isListed(table, comparisons)) return [verdictGrid(comparisons.map((compared) => namedComparison(compared, table, results)))]
  const [reference] = table.cells
  if (!reference) return []
  const all = [...differences.values()]
  const clear = all.filter(isSignificant).length
  const name = placeName(reference.at, differingAxes(table))
  const holm = all.some(({ adjusted }) => (adjusted?.tests ?? 0) > 1) ? ', Holm' : ''
  const text =
    clear === all.length
      ? `${all.length === 1 ? 'The difference' : `All ${all.length} differences`} from ${name} ${all.length === 1 ? 'is' : 'are'} significant (p < 0.05${holm}).`
      : `${clear} of ${countText(all.length, 'difference')} from ${name} ${clear === 1 ? 'is' : 'are'} significant (p < 0.05${holm}); ≈ may be chance`
  return [{ kind: 'prose', text }]
}

/** The best place on each axis, and what helps one model only. */
function bestLines({ best = [], interactions = [] }: RunSummary): ScreenBlock[] {
  const isAlone = best.length < 2
  return [
    ...(isAlone ? [] : best.map((one): ScreenBlock => ({ kind: 'label', label: 'best', tone: 'good', texts: [bestText(one)] }))),
    ...interactions
      .slice(0, mostInteractions)
      .map((one): ScreenBlock => ({ kind: 'label', label: 'note', tone: 'attention', texts: [interactionText(one)] })),
  ]
}

function isListed(table: RunTable, comparisons: readonly ModelComparison[]): boolean {
  return table.axes.data.length === 1 && comparisons.length <= mostVerdicts
}

/** The axes on which the compared results differ. */
function differingAxes(table: RunTable): AxisName[] {
  const axes = varyingAxes(table).flatMap((axis) => (axis === 'data' ? [] : [axis]))
  return axes.length > 0 ? axes : ['model']
}

function namedComparison(compared: ModelComparison, table: RunTable, results: readonly PairResult[]): NamedComparison {
  const [first, second] = placesOf(compared)
  const axes = compared.axis === undefined ? differingAxes(table) : [compared.axis]
  const others = differingAxes(table).filter((axis) => !axes.includes(axis))
  return {
    names: [placeName(first, axes), placeName(second, axes)],
    ...(compared.axis === undefined || others.length === 0 ? {} : { on: placeName(first, others) }),
    compared,
    first: results.find((result) => isSamePair(result, { model: compared.first, format: compared.firstFormat, dataset: compared.dataset })),
  }
}

/** Why groups have no value. */
function groupNotes({ groupNotes: texts = [] }: RunSummary): RunNote[] {
  return texts.map((text) => ({ text, rank: 2 }))
}

/** From this rank on, nothing failed and no figure lacks its gold answers. */
const firstMildRank = 2

/** The worst notes, and how many more there are. */
function noteBlocks(notes: readonly RunNote[], areExpected = false): { blocks: ScreenBlock[]; more: number } {
  const sorted = notes.toSorted((one, other) => one.rank - other.rank)
  const shown = sorted
    .filter(({ rank }) => !areExpected || rank < firstMildRank)
    .slice(0, mostNotes)
    .map(({ text }) => text)
  const more = sorted.length - shown.length
  if (more > 0 && shown.length === 0)
    return {
      blocks: [{ kind: 'prose', text: `${countText(more, 'note')} on these formats in summary/summary.md`, tone: 'quiet' }],
      more: 0,
    }
  if (shown.length === 0) return { blocks: [], more }
  return { blocks: [{ kind: 'label', label: 'note', tone: 'attention', texts: shown }], more }
}

/** `600 rows, 101 kept, 499 in 8.3 s · 0.0236 USD · outputs/slow/20261119_125612`. */
function closing(
  { seconds, results, totals, unfinished, spent }: RunSummary,
  { folder, kept = 0, done }: RunReport,
  moreNotes: number,
): ScreenBlock {
  const rows = results.reduce((sum, result) => sum + result.rows, 0)
  const cached = results.reduce((sum, result) => sum + (result.cached ?? 0), 0)
  const sent =
    kept > 0
      ? `${countText(rows, 'row')}, ${kept.toLocaleString('en')} kept, ${(rows - kept).toLocaleString('en')}`
      : countText(rows, 'row')
  const costs = unfinished ? (spent?.costs ?? (spent?.cost ? [spent.cost] : [])) : (totals?.costs ?? [])
  const unpriced = totals?.unpriced ?? []
  const parts = [
    done ?? `${sent} in ${durationText(seconds)}`,
    ...(cached > 0 && done === undefined ? [`${cached.toLocaleString('en')} cached`] : []),
    ...(costs.length > 0 ? [moneyTexts(costs).join(' + ')] : []),
    ...(costs.length > 0 && unpriced.length > 0 ? [`without ${unpriced.join(', ')}, which has no price`] : []),
    folder,
    ...(moreNotes > 0 ? [`${countText(moreNotes, 'more note')} in summary/summary.md`] : []),
  ]
  return { kind: 'parts', parts, tone: 'quiet' }
}

/** What to do after a run: look at the rows that differ, or at the wrong ones. */
export function nextAfterRun(
  { results, comparisons = [], promptComparisons = [] }: RunSummary,
  folder: string,
  command: string,
): NextStep[] {
  const [only] = comparisons
  const place = folderOfRuns(folder)
  const differing =
    comparisons.length === 1 && promptComparisons.length === 0 && only?.mcnemar
      ? only.mcnemar.onlyFirst + only.mcnemar.onlySecond
      : undefined
  const wrong = results.length === 1 ? wrongRows(results[0]) : undefined
  const shows =
    differing !== undefined && differing > 0
      ? `the ${differing === 1 ? 'row' : countText(differing, 'row')} on which they differ`
      : wrong !== undefined && wrong > 0
        ? `the ${wrong === 1 ? 'wrong row' : countText(wrong, 'wrong row')} first`
        : 'rows and prompts, in the browser'
  return [{ command: `${command} view ${quoteWord(place)}`, shows }]
}

function wrongRows(result: PairResult | undefined): number | undefined {
  if (result?.kind !== 'verdict' || result.value === undefined || result.isMeanOfRows === false) return undefined
  const scored = result.rows - result.failed - (result.answers.noGold ?? 0)
  return scored - Math.round((result.value * scored) / 100)
}

/** The folder whose latest run this is: shorter, and the same for the next run. */
export function folderOfRuns(folder: string): string {
  return /^\d{8}_\d{6}(?:_\d+)?$/.test(basename(folder)) && dirname(folder) !== '.' ? dirname(folder) : folder
}
