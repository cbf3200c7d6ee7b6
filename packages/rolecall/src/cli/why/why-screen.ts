import { signed } from '../../evaluation/run/record/round.ts'
import type { WhyCause } from '../../workbench/why/cause-ledger.ts'
import { betterAndWorse } from '../../workbench/why/cause-rows.ts'
import type { WhyReport, WhySubject } from '../../workbench/why/explain.ts'
import { isShare } from '../../workbench/why/is-share.ts'
import { countText } from '../screen/amounts.ts'
import type { NextStep, ScreenBlock, ScreenRow } from '../screen/blocks.ts'
import { cut } from '../screen/fit-text.ts'
import { scoreText } from './show-group.ts'
import { nothingText } from './show-why.ts'

/** Further causes are printed with --verbose. */
const mostCauses = 8
const mostNotes = 2

/** Why two scores differ: both scores, the difference, a line for each cause, and the rows that no cause explains. */
export function whyScreen(report: WhyReport): ScreenBlock[] {
  const asPoints = isShare(report)
  return [
    { kind: 'parts', parts: titleOf(report) },
    subjects(report, asPoints),
    causesBlock(report, asPoints),
    {
      kind: 'group',
      blocks: [{ kind: 'grid', columns: [{}, {}], rows: samenessRows(report) }, ...notesOf(report.notes)],
    },
  ]
}

/** `weak on qa · 300 rows in both, joined by content`. */
function titleOf({ first, second, join }: WhyReport): string[] {
  const model = first.model === second.model ? `${first.model} on ` : ''
  const dataset = first.dataset === second.dataset ? first.dataset : `${first.dataset} / ${second.dataset}`
  const keys = Object.entries(join.by)
    .filter(([, count]) => count > 0)
    .map(([key]) => joinKeys[key] ?? key)
  return [
    `${model}${dataset}`,
    `${countText(join.matched, 'row')} in both, joined by ${keys.join(' and ')}`,
    ...(join.onlyFirst.length > 0 ? [`${join.onlyFirst.length} only in the first`] : []),
    ...(join.onlySecond.length > 0 ? [`${join.onlySecond.length} only in the second`] : []),
    ...(join.ambiguous.length > 0 ? [`${join.ambiguous.length} ambiguous, paired in order`] : []),
  ]
}

const joinKeys: Readonly<Record<string, string>> = { row_hash: 'content', question: 'question' }

function subjects(report: WhyReport, asPoints: boolean): ScreenBlock {
  const { first, second, difference } = report
  const hasModels = first.model !== second.model
  const line = ({ name, harness, metric, model, score, scored, rows }: WhySubject): ScreenRow => ({
    cells: [
      { text: name },
      { text: score === undefined ? '–' : scoreText(score, asPoints), tone: 'strong' },
      {
        text: [harness, ...(hasModels ? [model] : []), metric, ...(scored === rows ? [] : [`${scored} of ${rows} rows scored`])].join(
          ' · ',
        ),
        tone: 'quiet',
      },
    ],
  })
  return {
    kind: 'grid',
    columns: [{ mayShorten: true }, { isNumber: true }, { mayCut: true }],
    rows: [
      line(first),
      line(second),
      {
        cells: [
          { text: 'second − first' },
          { text: pointsText(difference, asPoints), tone: 'strong' },
          { text: chanceText(report, asPoints) },
        ],
      },
    ],
  }
}

/** `[+4.3, +10.3]  significant`, of the rows that both scored. */
function chanceText({ first, second, common }: WhyReport, asPoints: boolean): string {
  if (first.score === undefined || second.score === undefined) return 'not compared: one of them has no score'
  const { comparison, changed } = common
  if (!comparison) return ''
  if (changed === 0) return 'no common row has another score'
  const { low, high } = comparison.interval
  const isChance = low <= 0 && high >= 0
  return `[${pointsText(low, asPoints)}, ${pointsText(high, asPoints)}]  ${isChance ? 'may be chance' : 'significant'}`
}

function causesBlock(report: WhyReport, asPoints: boolean): ScreenBlock {
  const { causes, difference, first, second } = report
  if (causes.length === 0) return { kind: 'prose', text: nothingText(report) }
  const shown = causes.slice(0, mostCauses)
  const more = causes.length - shown.length
  const grid: ScreenBlock = {
    kind: 'grid',
    columns: [
      { title: 'cause', mayShorten: true },
      { title: asPoints ? 'points' : 'effect', isNumber: true },
      { title: 'better', isNumber: true },
      { title: 'worse', isNumber: true },
      { title: 'what differs', mayCut: true },
    ],
    rows: [
      ...shown.map((cause): ScreenRow => causeRow(cause, report, asPoints)),
      ...(causes.length > 1 && first.score !== undefined && second.score !== undefined
        ? [{ cells: [{ text: 'together' }, { text: pointsText(difference, asPoints) }, { text: '' }, { text: '' }, { text: '' }] }]
        : []),
    ],
  }
  return more > 0
    ? { kind: 'group', blocks: [grid, { kind: 'prose', text: `${countText(more, 'more cause')}: --verbose`, tone: 'quiet' }] }
    : grid
}

const widestDetail = 100

function causeRow(cause: WhyCause, report: WhyReport, asPoints: boolean): ScreenRow {
  const { better, worse } = betterAndWorse(cause, report)
  const scoredOnce = cause.unmatched.length + cause.onlySecond.length
  const detail = cause.detail.replace(/^the second has (.+) in addition$/s, '+$1').replaceAll('\n', '⏎')
  const parts = [
    ...(scoredOnce > 0 ? [`${countText(scoredOnce, 'row')} scored on one side only`] : []),
    ...(detail === ''
      ? cause.changed.length > 0
        ? [`${cause.changed.length} other ${cause.changed.length === 1 ? 'reply' : 'replies'}`]
        : []
      : [detail]),
  ]
  return {
    cells: [
      { text: cause.cause },
      { text: pointsText(cause.effect, asPoints) },
      { text: String(better.length) },
      { text: String(worse.length) },
      { text: cut(parts.join(': '), widestDetail) },
    ],
  }
}

function samenessRows({ samePromptOtherAnswer, sameAnswerOtherVerdict }: WhyReport): ScreenRow[] {
  return [
    { cells: [{ text: 'same prompt, another reply' }, { text: rowList(samePromptOtherAnswer) }] },
    { cells: [{ text: 'same reply, another verdict' }, { text: rowList(sameAnswerOtherVerdict) }] },
  ]
}

const mostIds = 6

function rowList(ids: readonly number[]): string {
  if (ids.length === 0) return 'none'
  if (ids.length === 1) return `row ${ids[0]}`
  const shown = ids.slice(0, mostIds).join(', ')
  return ids.length > mostIds ? `${ids.length} rows: ${shown}, …` : `rows ${shown}`
}

function notesOf(notes: readonly string[]): ScreenBlock[] {
  if (notes.length === 0) return []
  const more = notes.length - mostNotes
  const texts = [...notes.slice(0, mostNotes), ...(more > 0 ? [`${countText(more, 'more note')}: --verbose`] : [])]
  return [{ kind: 'label', label: 'note', tone: 'attention', texts }]
}

function pointsText(value: number, asPoints: boolean): string {
  return signed(asPoints ? 100 * value : value, asPoints ? 1 : 3)
}

/** The rows of the largest cause, and a page of everything. */
export function nextAfterWhy({ causes }: WhyReport, command: string): NextStep[] {
  const [largest] = causes
  if (!largest) return []
  return [
    {
      command: `${command} --rows ${/^[\w-]+$/.test(largest.cause) ? largest.cause : `"${largest.cause}"`}`,
      shows: 'its rows, with both replies',
    },
    { command: `${command} --export why.html`, shows: 'one page to publish' },
  ]
}
