import { fixed, signed as signedNumber } from '../../evaluation/run/record/round.ts'
import type { AskedCause } from '../../workbench/why/ask-causes.ts'
import { type WhyCause, whySteps } from '../../workbench/why/cause-ledger.ts'
import { betterAndWorse, rowsOfCause } from '../../workbench/why/cause-rows.ts'
import type { WhyReport, WhySubject } from '../../workbench/why/explain.ts'
import { isShare } from '../../workbench/why/is-share.ts'
import type { WhyRow, WhySide } from '../../workbench/why/why-row.ts'
import { colors, printable } from '../terminal.ts'

/** `+8.3`, in points of a hundred for shares. */
export function signed(value: number, asPoints: boolean): string {
  return signedNumber(asPoints ? 100 * value : value, asPoints ? 1 : 3)
}

/** An explanation for the terminal. */
export function showWhy(report: WhyReport): string {
  const asPoints = isShare(report)
  const { difference, causes, common, join } = report
  return [
    [subjectLine('first ', report.first, asPoints), subjectLine('second', report.second, asPoints)].join('\n'),
    `${colors.bold(`difference ${signed(difference, asPoints)}`)}\n${joinLine(join)}`,
    causes.length === 0 ? nothingText(report) : waterfall(report, asPoints),
    [
      ...(common.comparison?.interval ? [noiseLine(common, asPoints)] : []),
      `same prompt, different answer: ${rowList(report.samePromptOtherAnswer)}`,
      `same answer, different verdict: ${rowList(report.sameAnswerOtherVerdict)}`,
      colors.dim(`Steps in this order: ${whySteps.join(', ')}; each row's change goes to the first step that explains it.`),
      ...report.notes.map((text) => `${colors.yellow('note')} ${printable(text)}`),
    ].join('\n'),
  ].join('\n\n')
}

/** What is not scored is never the same. */
export function nothingText({ first, second, common }: Pick<WhyReport, 'first' | 'second' | 'common'>): string {
  if (first.scored === 0 || second.scored === 0)
    return `not compared: ${first.scored === 0 ? first.name : second.name} has no scored row; \`rolecall score\` scores a run`
  if (common.rows === 0) return 'not compared: no row has a score in both'
  return 'nothing differs: rows, prompts, settings, replies and verdicts are the same'
}

function subjectLine(which: string, { name, harness, model, dataset, metric, score, scored, rows }: WhySubject, asPoints: boolean): string {
  const value = score === undefined ? 'no score' : fixed(asPoints ? 100 * score : score, asPoints ? 1 : 3)
  const counted = scored === rows ? `${rows} rows` : `${scored} of ${rows} rows scored`
  return `${colors.dim(which)} ${printable(name)}  ${colors.dim(printable(`${harness} · ${model} on ${dataset} · ${metric}`))}  ${colors.bold(value)} (${counted})`
}

function joinLine({ matched, by, onlyFirst, onlySecond, ambiguous }: WhyReport['join']): string {
  const keys = Object.entries(by).map(([key, count]) => `${count} by ${key}`)
  const rest = [
    ...(onlyFirst.length > 0 ? [`${onlyFirst.length} only in the first`] : []),
    ...(onlySecond.length > 0 ? [`${onlySecond.length} only in the second`] : []),
    ...(ambiguous.length > 0 ? [`${ambiguous.length} ambiguous, paired in order`] : []),
  ]
  return `${matched} rows joined (${keys.join(', ')})${rest.length > 0 ? `; ${rest.join('; ')}` : ''}`
}

function waterfall(report: WhyReport, asPoints: boolean): string {
  const { causes, difference } = report
  const width = Math.max(...causes.map(({ cause }) => cause.length), 'together'.length)
  const stepWidth = Math.max(...causes.map(({ step }) => step.length))
  const line = (step: string, cause: string, effect: number, text: string) =>
    `  ${colors.dim(step.padEnd(stepWidth))}  ${cause.padEnd(width)}  ${signed(effect, asPoints).padStart(7)}  ${text}`
  const lines = causes.flatMap((cause) => [
    line(cause.step, printable(cause.cause), cause.effect, countsOf(cause, report)),
    ...(cause.detail === '' ? [] : [colors.dim(`  ${' '.repeat(stepWidth)}  ${short(cause.detail)}`)]),
  ])
  return [...lines, line('', 'together', difference, '')].join('\n').trimEnd()
}

/** `2 rows better, 1 worse, 5 other replies`. */
export function countsOf(cause: WhyCause, report: WhyReport): string {
  const { changed, unmatched, onlySecond, replies } = cause
  const { better, worse } = betterAndWorse(cause, report)
  const scoredOnce = unmatched.length + onlySecond.length
  const counts = [
    ...(scoredOnce > 0 ? [`${scoredOnce} rows scored on one side only`] : []),
    ...(better.length + worse.length > 0 ? [`${better.length} better, ${worse.length} worse`] : []),
    ...(changed.length > 0 ? [`${changed.length} other replies`] : []),
    ...Object.entries(replies).map(([tag, rows]) => `${rows.length} ${tag}`),
  ]
  return counts.length > 0 ? counts.join(', ') : 'no effect on these rows'
}

/** What the interval of the difference says. */
export function noiseLine({ comparison, rows, changed }: WhyReport['common'], asPoints: boolean): string {
  const { low, high } = comparison!.interval
  if (changed === 0) return `noise: none; all ${rows} common rows have the same score in both`
  const isChance = low <= 0 && high >= 0
  return `noise: over ${rows} common rows the 95 % interval of the difference is [${signed(low, asPoints)}, ${signed(high, asPoints)}]${isChance ? ': it may be chance' : ''}`
}

function rowList(ids: readonly number[]): string {
  if (ids.length === 0) return 'none'
  const shown = ids.slice(0, 12).join(', ')
  return `${ids.length} ${ids.length === 1 ? 'row' : 'rows'} (${shown}${ids.length > 12 ? ', …' : ''})`
}

function short(text: string): string {
  const line = printable(text.replaceAll('\n', '⏎'))
  return line.length > 150 ? `${line.slice(0, 149)}…` : line
}

/** A row on both sides. */
export type RowOnSides = { id: number; first?: WhyRow; second?: WhyRow; change: string }

/** The rows of a cause with both sides, as many as wanted. */
export function rowsOnSides(cause: WhyCause, sides: readonly [WhySide, WhySide], report: WhyReport, most: number): RowOnSides[] {
  const shown = rowsOfCause(cause, report).slice(0, most)
  const first = rowsById(sides[0], new Set(shown.flatMap((one) => one.first ?? [])))
  const second = rowsById(sides[1], new Set(shown.flatMap((one) => one.second ?? [])))
  return shown.map((one) => {
    const [left, right] = [first.get(one.first ?? Number.NaN), second.get(one.second ?? Number.NaN)]
    return { id: one.first ?? one.second!, ...(left ? { first: left } : {}), ...(right ? { second: right } : {}), change: one.change }
  })
}

function rowsById(side: WhySide, ids: ReadonlySet<number>): Map<number, WhyRow> {
  const found = new Map<number, WhyRow>()
  for (let place = 0; place < side.count && found.size < ids.size; place++) {
    const row = side.row(place)
    if (ids.has(row.id)) found.set(row.id, row)
  }
  return found
}

export function showCauseRows(sides: readonly [WhySide, WhySide], causes: readonly WhyCause[], report: WhyReport, most: number): string {
  return causes
    .map((cause) => [colors.bold(printable(cause.cause)), ...rowsOnSides(cause, sides, report, most).flatMap(showRow)].join('\n'))
    .join('\n\n')
}

function showRow({ id, first, second, change }: RowOnSides): string[] {
  const side = (row: WhyRow | undefined, sign: string) => {
    if (!row) return `    ${sign} not there`
    if (row.error !== undefined) return `    ${sign} ${short(row.error)}`
    return `    ${sign} ${short(row.reply ?? '')} ${colors.dim(`→ ${short(row.pred ?? '?')} · ${row.score ?? 'no score'}`)}`
  }
  const gold = first?.gold ?? second?.gold
  return [
    `  row ${id}: ${change}${gold === undefined ? '' : colors.dim(` · gold ${short(gold)}`)}`,
    side(first, colors.red('-')),
    side(second, colors.green('+')),
  ]
}

/** What asking again showed: a line for each cause, and what the words mean. */
export function askedLines(asked: readonly AskedCause[], report: WhyReport): { lines: string[]; legend: string } {
  const asPoints = isShare(report)
  const lines = asked.map(({ cause, rows, first, again, prompt, settings, second, failed }) => {
    if (rows.length === 0) return `${cause}  no row got all its replies: ${failed} requests failed or have no score`
    const parts = [
      `recorded ${signed(second - first, asPoints)}`,
      ...(prompt === undefined ? [] : [`prompt alone ${signed(prompt - again, asPoints)}`]),
      ...(settings === undefined ? [] : [`settings alone ${signed(settings - again, asPoints)}`]),
      `asked again ${signed(again - first, asPoints)}`,
      ...(failed > 0 ? [`${failed} requests failed or have no score`] : []),
    ]
    return `${cause}  ${rows.length} rows: ${parts.join(', ')}`
  })
  const legend =
    'alone: the change if only that is taken from the second run; asked again: the change without any, due to the model or chance'
  return { lines, legend }
}

export function showAsked(asked: readonly AskedCause[], report: WhyReport): string {
  const { lines, legend } = askedLines(asked, report)
  return [colors.bold('asked'), ...lines.map((line) => `  ${printable(line)}`), colors.dim(`  ${legend}`)].join('\n')
}
