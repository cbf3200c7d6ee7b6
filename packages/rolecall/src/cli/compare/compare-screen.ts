import { basename } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { pyStr } from '@rolecall/core/internal/python'
import { oneClusterText } from '../../evaluation/run/record/compare-rows.ts'
import { outcomesText } from '../../evaluation/run/record/outcome.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { bar } from '../../evaluation/run/record/results-table.ts'
import { signed } from '../../evaluation/run/record/round.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import { digitsOf, metricLabel, showInterval, showValue } from '../../evaluation/run/record/show-metric.ts'
import type { RunReader } from '../../node/runs/run-reader.ts'
import { countText, moneyTexts } from '../screen/amounts.ts'
import type { Cell, ScreenBlock, ScreenRow } from '../screen/blocks.ts'
import { cut } from '../screen/fit-text.ts'
import { intervalsNote } from '../screen/results-blocks.ts'
import { adjustedText, probabilityText, verdictGrid, verdictOf } from '../screen/verdict.ts'
import { changedLines, pairOf, type ShownComparison, type ShownRow } from './show-comparison.ts'

/** Two runs, or two models of a run, and what each is called. */
export type RunSides = { runs: readonly [RunReader, RunReader]; named: readonly [string, string] }

/** Datasets beyond these are printed with --verbose. */
const mostDatasets = 10

/** What changed from one run to another: figures and difference, then which step differs, then some rows. */
export function compareScreen(
  shown: readonly ShownComparison[],
  sides: RunSides,
  examples: number,
  notes: readonly Note[] = [],
): ScreenBlock[] {
  const [only] = shown
  if (only && shown.length === 1) return [...oneDataset(only, sides, examples), ...noteBlocks(notes)]
  return [...severalDatasets(shown, sides), ...noteBlocks(notes)]
}

const mostNotes = 2

/** What was assumed about results of other programs, and what could not be read. */
function noteBlocks(notes: readonly Note[]): ScreenBlock[] {
  const all = [...new Set(notes.map(({ text, where }) => (where === undefined ? text : `${where}: ${text}`)))]
  if (all.length === 0) return []
  const more = all.length - mostNotes
  const texts = all.slice(0, mostNotes)
  return [
    {
      kind: 'label',
      label: 'note',
      tone: 'attention',
      texts: [...texts, ...(more > 0 ? [`${countText(more, 'more note')}: --verbose`] : [])],
    },
  ]
}

/** The names of the sides: their models if these differ, else what the runs are called, as short as tells them apart. */
export function sideNames({ comparison }: ShownComparison, named: RunSides['named']): readonly [string, string] {
  const models = [modelText(pairOf(comparison, 0)), modelText(pairOf(comparison, 1))] as const
  if (models[0] !== models[1]) return models
  const short = [basename(named[0]), basename(named[1])] as const
  if (short[0] !== short[1]) return short
  return named[0] === named[1] ? ['first', 'second'] : named
}

function oneDataset(shown: ShownComparison, sides: RunSides, examples: number): ScreenBlock[] {
  const { comparison } = shown
  const names = sideNames(shown, sides.named)
  const models = new Set([modelText(pairOf(comparison, 0)), modelText(pairOf(comparison, 1))])
  const subject = models.size === 1 ? `${[...models][0]} on ${comparison.dataset}` : comparison.dataset
  const results = resultsOf(shown, sides)
  const metrics = new Set(results.flatMap((result) => (result ? [labelOf(result)] : [])))
  const hasIntervals = results.some((result) => result?.interval)
  return [
    {
      kind: 'parts',
      parts: [
        subject,
        `${countText(comparison.rows, 'row')} in both`,
        ...(metrics.size === 1 ? [`${[...metrics][0]}${hasIntervals ? ` ${intervalsNote}` : ''}`] : []),
      ],
    },
    figures(results, names, metrics.size > 1),
    difference(shown, names, results),
    { kind: 'group', blocks: [...differences(shown), ...restOf(shown)] },
    ...exampleRows(shown, names, examples),
  ]
}

/** The results of both sides; undefined where one has none. */
export function resultsOf({ comparison }: ShownComparison, { runs }: RunSides) {
  return ([0, 1] as const).map((side) => runs[side].find(pairOf(comparison, side))?.result())
}

function labelOf(result: NonNullable<ReturnType<typeof resultsOf>[number]>): string {
  return metricLabel({ ...result, metric: result.metric.replaceAll('_', ' ') })
}

function figures(results: ReturnType<typeof resultsOf>, names: readonly [string, string], hasLabels: boolean): ScreenBlock {
  const costs = results.map((result) => result?.costs ?? [])
  const money = moneyTexts(costs.flat())
  const areShares = results.every((result) => result === undefined || result.unit === 'percent')
  const rows = results.map((result, side): ScreenRow => {
    const own = side === 0 ? money.slice(0, costs[0]?.length) : money.slice(costs[0]?.length)
    const cells: Cell[] = [
      { text: names[side] ?? '' },
      { text: areShares && result?.value !== undefined ? bar(result.value / 100) : '' },
      { text: result ? showValue(result) : '–', tone: 'strong' },
      { text: result ? showInterval(result).trim() : '' },
      { text: hasLabels && result ? labelOf(result) : '' },
      { text: own.join(' + '), tone: 'quiet' },
    ]
    return { cells }
  })
  return { kind: 'grid', columns: [{ mayShorten: true }, { mayDrop: true }, { isNumber: true }, {}, {}, { isNumber: true }], rows }
}

function difference({ comparison }: ShownComparison, names: readonly [string, string], results: ReturnType<typeof resultsOf>): ScreenBlock {
  const { metrics, oneCluster, comparison: compared, figures: whole, unit } = comparison
  if (metrics)
    return {
      kind: 'prose',
      text: `not compared: the first is scored by ${metrics[0]}, the second by ${metrics[1]}; \`rolecall score\` scores a run again`,
    }
  if (oneCluster !== undefined) return { kind: 'prose', text: oneClusterText(oneCluster) }
  if (!compared) return { kind: 'prose', text: 'not compared: no row has a score in both' }
  const ofRows = verdictGrid([{ names, compared, first: results[0] }])
  if (!whole) return ofRows
  const text = `${whole.metric} ${signed(whole.second - whole.first, digitsOf(unit))}: it is no mean of rows, whose scores differ as follows`
  return { kind: 'group', blocks: [{ kind: 'prose', text }, ofRows] }
}

/** Which steps differ, in how many rows. */
function differences({ comparison, examples }: ShownComparison): ScreenBlock[] {
  const { differs, rows, better, worse, otherAnswers } = comparison
  if (differs.from === 'nothing') return [{ kind: 'prose', text: 'nothing differs: prompts, answers and scores are the same' }]
  const promptOf = examples.find(({ prompts }) => prompts)?.prompts
  const toSame = differs.prompts > 0 && differs.answersToSamePrompt > 0 ? `${differs.answersToSamePrompt} of them to the same prompt` : ''
  const line = (step: string, count: number, about: string): ScreenRow[] =>
    count === 0
      ? []
      : [
          {
            cells: [
              { text: step },
              { text: count.toLocaleString('en') },
              { text: `${count === 1 ? 'row differs' : 'rows differ'}${about === '' ? '' : `  ${about}`}` },
            ],
          },
        ]
  const scores = better.length + worse.length
  const sameScore = otherAnswers > 0 ? `, ${otherAnswers} of the other answers with the same score` : ''
  return [
    {
      kind: 'grid',
      columns: [{}, { isNumber: true }, { mayCut: true }],
      rows: [
        ...line('prompt', differs.prompts, promptOf ? firstChange(promptOf) : ''),
        ...line('answer', differs.answers, toSame),
        ...line('scoring', differs.scoring, 'of the same answer'),
        ...(scores === 0
          ? []
          : [
              {
                cells: [
                  { text: 'score' },
                  { text: scores.toLocaleString('en') },
                  { text: `${countText(scores, 'row').replace(/^\S+ /, '')}: ${better.length} better, ${worse.length} worse${sameScore}` },
                ],
              },
            ]),
      ],
    },
    ...(differs.prompts === 0
      ? [{ kind: 'prose' as const, text: `same ${rows === 1 ? 'prompt' : 'prompts'}`, tone: 'quiet' as const }]
      : []),
  ]
}

const widestChange = 60

/** The first line of a prompt that differs: what it gained, or both. */
function firstChange({ first, second }: { first: string; second: string }): string {
  const lines = changedLines(first, second)
  const lost = lines.find(({ sign }) => sign === '-')?.text
  const gained = lines.find(({ sign }) => sign === '+')?.text
  if (lost === undefined) return `+ ${cut(JSON.stringify(gained ?? ''), widestChange)}`
  if (gained === undefined) return `− ${cut(JSON.stringify(lost), widestChange)}`
  let start = 0
  while (start < lost.length && lost[start] === gained[start]) start++
  let end = 0
  while (end < Math.min(lost.length, gained.length) - start && lost.at(-1 - end) === gained.at(-1 - end)) end++
  const [removed, added] = [lost.slice(start, lost.length - end), gained.slice(start, gained.length - end)]
  const parts = [...(removed === '' ? [] : [`− ${JSON.stringify(removed)}`]), ...(added === '' ? [] : [`+ ${JSON.stringify(added)}`])]
  return cut(parts.join(' '), widestChange)
}

/** What a reviewer's exclusions mean for the figures beside the difference. */
export function excludedText(excluded: number): string {
  return `${countText(excluded, 'row')} excluded by a reviewer; the metric of each run is of all its rows`
}

/** Rows that only one side has or answered, and answers that were not read. */
function restOf({ comparison }: ShownComparison): ScreenBlock[] {
  const { onlyInFirst, onlyInSecond, excluded, failedInFirst, failedInSecond, answers = [undefined, undefined] } = comparison
  const unread = answers.map((one) => (one ? outcomesText(one.answers) : ''))
  const texts = [
    ...(onlyInFirst > 0 ? [`${countText(onlyInFirst, 'row')} only in the first`] : []),
    ...(onlyInSecond > 0 ? [`${countText(onlyInSecond, 'row')} only in the second`] : []),
    ...(excluded === undefined ? [] : [excludedText(excluded)]),
    ...(failedInFirst > 0 ? [`${countText(failedInFirst, 'row')} failed in the first only`] : []),
    ...(failedInSecond > 0 ? [`${countText(failedInSecond, 'row')} failed in the second only`] : []),
    ...unread.flatMap((text, side) => (text === '' ? [] : [`answers of the ${side === 0 ? 'first' : 'second'}: ${text}`])),
  ]
  return texts.length === 0 ? [] : [{ kind: 'label', label: 'note', tone: 'attention', texts }]
}

/** Some rows whose score changed: gold, both answers, and what was asked. */
function exampleRows({ comparison, examples }: ShownComparison, names: readonly [string, string], most: number): ScreenBlock[] {
  const changed = comparison.better.length + comparison.worse.length
  const scored = examples.filter(({ change }) => change !== 'otherwise')
  const shown = (scored.length > 0 ? scored : examples).slice(0, most)
  if (shown.length === 0) return []
  const more = (scored.length > 0 ? changed : comparison.otherwise.length) - shown.length
  return [
    {
      kind: 'group',
      blocks: [
        {
          kind: 'grid',
          columns: [
            { title: 'row', isNumber: true },
            { title: '' },
            { title: 'gold' },
            { title: `${names[0]} → ${names[1]}`, mayCut: true },
          ],
          rows: shown.map(exampleRow),
        },
        ...(more > 0
          ? [
              {
                kind: 'prose' as const,
                text: `${more.toLocaleString('en')} more: --examples ${shown.length + more}; --verbose shows prompts`,
                tone: 'quiet' as const,
              },
            ]
          : []),
      ],
    },
  ]
}

const widestAnswer = 24

function exampleRow({ change, first, second }: ShownRow): ScreenRow {
  const shown = ({ prediction, error }: RowRecord) => cut(flat(error === undefined ? pyStr(prediction) : 'failed'), widestAnswer)
  const gold = first.gold ?? second.gold
  return {
    cells: [
      { text: String(first.id) },
      change === 'better' ? { text: 'better', tone: 'good' } : change === 'worse' ? { text: 'worse', tone: 'bad' } : { text: 'same' },
      { text: gold === undefined ? '–' : cut(flat(pyStr(gold)), widestAnswer) },
      { text: `${shown(first)} → ${shown(second)}` },
    ],
  }
}

function flat(text: string): string {
  return text.replaceAll('\n', '⏎')
}

/** A line for each dataset: both figures, the difference and what it says. */
function severalDatasets(shown: readonly ShownComparison[], sides: RunSides): ScreenBlock[] {
  const models = new Set(shown.map(({ comparison }) => comparison.models.join('\n')))
  const [first] = shown
  const names = first ? sideNames(first, sides.named) : sides.named
  const listed = [...shown].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, mostDatasets)
  const kept = shown.filter((one) => listed.includes(one))
  const rows = kept.map((one): ScreenRow => {
    const { comparison } = one
    const { dataset, comparison: compared } = comparison
    const results = resultsOf(one, sides)
    const name = models.size > 1 ? `${modelText(pairOf(comparison, 0))} · ${dataset}` : dataset
    const value = (side: 0 | 1): Cell => ({ text: results[side] ? showValue(results[side]) : '–' })
    if (!compared)
      return { cells: [{ text: name }, value(0), value(1), { text: '–' }, { text: '' }, { text: '' }, { text: 'not compared' }] }
    const digits = digitsOf(compared.unit)
    const { word, tone } = verdictOf(compared)
    return {
      cells: [
        { text: name },
        value(0),
        value(1),
        { text: signed(compared.difference, digits), tone: 'strong' },
        { text: `[${signed(compared.interval.low, digits)}, ${signed(compared.interval.high, digits)}]` },
        { text: probabilityText(compared) },
        { text: word, ...(tone === undefined ? {} : { tone }) },
      ],
    }
  })
  const tests = adjustedText(shown.flatMap(({ comparison: { comparison: compared } }) => (compared ? [{ compared }] : [])))
  const differing = shown.filter(({ comparison }) => comparison.differs.from !== 'nothing')
  const more = shown.length - kept.length
  return [
    {
      kind: 'parts',
      parts: [
        `${names[0]} → ${names[1]}`,
        countText(new Set(shown.map(({ comparison }) => comparison.dataset)).size, 'dataset'),
        intervalsNote,
      ],
    },
    {
      kind: 'grid',
      columns: [
        { mayShorten: true },
        { title: cut(names[0], 12), isNumber: true },
        { title: cut(names[1], 12), isNumber: true },
        { title: 'difference', isNumber: true },
        { mayDrop: true },
        {},
        {},
      ],
      rows,
    },
    {
      kind: 'group',
      blocks: [
        ...(more > 0 ? [{ kind: 'prose' as const, text: `${countText(more, 'more line')}: --verbose`, tone: 'quiet' as const }] : []),
        ...tests.map((text): ScreenBlock => ({ kind: 'prose', text })),
        {
          kind: 'prose',
          text:
            differing.length === 0
              ? 'nothing differs: prompts, answers and scores are the same'
              : `prompts differ in ${countText(sumOf(shown, 'prompts'), 'row')}, answers in ${countText(sumOf(shown, 'answers'), 'row')}; --verbose shows each dataset with rows`,
        },
      ],
    },
  ]
}

/** The clearest differences first. */
function rankOf({ comparison: { comparison: compared } }: ShownComparison): number {
  return compared ? (compared.adjusted?.p ?? compared.p ?? 1) : 2
}

function sumOf(shown: readonly ShownComparison[], step: 'prompts' | 'answers'): number {
  return shown.reduce((sum, { comparison }) => sum + comparison.differs[step], 0)
}
