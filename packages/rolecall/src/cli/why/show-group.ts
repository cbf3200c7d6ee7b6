import { fixed } from '../../evaluation/run/record/round.ts'
import { whySteps } from '../../workbench/why/cause-ledger.ts'
import type { GroupCause, GroupReport, GroupSubject } from '../../workbench/why/explain-group.ts'
import { isShare } from '../../workbench/why/is-share.ts'
import { colors, printable } from '../terminal.ts'
import { signed } from './show-why.ts'

/** An explanation of two groups for the terminal. */
export function showGroup(report: GroupReport): string {
  const asPoints = isShare(report)
  const { first, second, difference, causes, datasets, notes } = report
  const width = Math.max(...causes.map(({ cause }) => cause.length), 'together'.length)
  const stepWidth = Math.max(0, ...causes.map(({ step }) => step.length))
  const line = (step: string, cause: string, effect: number, text: string) =>
    `  ${colors.dim(step.padEnd(stepWidth))}  ${printable(cause).padEnd(width)}  ${signed(effect, asPoints).padStart(7)}  ${text}`.trimEnd()
  const parts = causes.flatMap((cause) => [
    line(cause.step, cause.cause, cause.effect, groupCounts(cause)),
    ...(cause.detail === ''
      ? []
      : [colors.dim(`  ${' '.repeat(stepWidth)}  ${printable(cause.detail.replaceAll('\n', '⏎')).slice(0, 150)}`)]),
  ])
  const nameWidth = Math.max(...datasets.map((one) => datasetName(one).length))
  const shown = datasets.slice(0, mostDatasets)
  return [
    `${subjectLine('first ', first, asPoints)}\n${subjectLine('second', second, asPoints)}`,
    colors.bold(`difference ${signed(difference, asPoints)}`),
    causes.length === 0 ? 'Nothing differs.' : [...parts, line('', 'together', difference, '')].join('\n'),
    [
      colors.bold(`datasets (${datasets.length} in both${datasets.length > shown.length ? `, the largest parts` : ''})`),
      ...shown.map(
        (one) =>
          `  ${printable(datasetName(one)).padEnd(nameWidth)}  ${scoreText(one.scores[0], asPoints)} → ${scoreText(one.scores[1], asPoints)}  ${signed(one.effect, asPoints).padStart(7)}`,
      ),
    ].join('\n'),
    [
      colors.dim(`Steps in this order: ${whySteps.join(', ')}. --dataset NAME explains one dataset, with its rows.`),
      ...notes.map((text) => `${colors.yellow('note')} ${printable(text)}`),
    ].join('\n'),
  ].join('\n\n')
}

const mostDatasets = 20

/** A dataset under its names in both runs. */
export function datasetName({ first, second }: { first: string; second: string }): string {
  return first === second ? first : `${first} / ${second}`
}

/** `better` and `worse` rows over all datasets. */
export function groupCounts({ datasets }: GroupCause): string {
  const sum = (pick: 'gained' | 'lost' | 'changed' | 'unmatched' | 'onlySecond') =>
    datasets.reduce((total, one) => total + one[pick].length, 0)
  const scoredOnce = sum('unmatched') + sum('onlySecond')
  return [
    ...(scoredOnce > 0 ? [`${scoredOnce} rows scored on one side only`] : []),
    ...(sum('gained') + sum('lost') > 0 ? [`${sum('gained')} higher, ${sum('lost')} lower`] : []),
    ...(sum('changed') > 0 ? [`${sum('changed')} other replies`] : []),
    ...(datasets.length > 0 ? [`in ${datasets.length} ${datasets.length === 1 ? 'dataset' : 'datasets'}`] : []),
  ].join(', ')
}

function subjectLine(which: string, { name, model, group, datasets, rows, score, weighting }: GroupSubject, asPoints: boolean): string {
  const mean = { datasets: 'mean of datasets', rows: 'mean of rows', other: 'weighted otherwise' }[weighting]
  return `${colors.dim(which)} ${printable(name)}  ${colors.dim(printable(`${model} on ${group} · ${mean}`))}  ${colors.bold(scoreText(score, asPoints))} (${datasets} datasets, ${rows} rows)`
}

export function scoreText(score: number, asPoints: boolean): string {
  return fixed(asPoints ? 100 * score : score, asPoints ? 1 : 3)
}
