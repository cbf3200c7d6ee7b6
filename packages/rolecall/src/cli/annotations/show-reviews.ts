import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { plainTable } from '../../evaluation/run/record/results-table.ts'
import { agrees, type Review } from '../../evaluation/run/record/review.ts'
import { showValue, showWithUnit } from '../../evaluation/run/record/show-metric.ts'
import { csvCell } from '../../evaluation/run/record/summary-csv.ts'
import type { ReviewedPair } from '../../node/runs/annotations/review-run.ts'
import { colors, printable } from '../terminal.ts'

/** A table of agreement by model and dataset, then the notes. */
export function showReviews({ file, pairs }: { file: string; pairs: readonly ReviewedPair[] }): string {
  const annotated = pairs.filter(({ rows }) => rows.length > 0)
  if (annotated.length === 0)
    return `No row is annotated. Open the run with \`rolecall view\`, choose a row, and note a verdict, tags or a text; they are stored in ${printable(file)}`
  const table = [
    [
      'model · dataset',
      'annotated',
      'reviewed',
      'agree',
      'kappa',
      'score right, reviewer wrong',
      'score wrong, reviewer right',
      'score',
      'with these verdicts',
    ],
    ...annotated.map(({ metric, review, ...name }) => [
      `${modelText(name)} · ${name.dataset}`,
      String(review.annotated),
      String(review.reviewed),
      agreementText(review),
      review.agreement?.kappa?.toFixed(2) ?? '–',
      String(review.counts.onlyFirst),
      String(review.counts.onlySecond),
      metric ? showWithUnit(metric) : '–',
      metric && review.corrected !== undefined ? showWithUnit({ ...metric, value: review.corrected }) : '–',
    ]),
  ]
  const notes = annotated.flatMap(({ rows, ...name }) => rows.map((row) => rowLine(`${modelText(name)} · ${name.dataset}`, row)))
  const left = annotated.flatMap(({ review, ...name }) => leftOut(`${modelText(name)} · ${name.dataset}`, review))
  return [
    plainTable(table, { ...colors, printable }),
    notes.join('\n'),
    ...(left.length > 0 ? [left.join('\n')] : []),
    colors.dim(printable(file)),
  ].join('\n\n')
}

function agreementText({ agreement, counts }: Review): string {
  if (!agreement) return '–'
  const { bothRight, bothWrong, onlyFirst, onlySecond } = counts
  const { low, high } = agreement.interval
  const [share, ...ends] = [agreement.share, low, high].map((value) => showValue({ value: 100 * value, unit: 'percent' }))
  return `${bothRight + bothWrong} of ${bothRight + bothWrong + onlyFirst + onlySecond}, ${share} % [${ends.join(', ')}]`
}

function rowLine(pair: string, { row, verdict, star, tags = [], note, excluded, score, isOutdated }: ReviewedPair['rows'][number]): string {
  const parts = [
    ...(verdict === undefined ? [] : [`${isOutdated ? 'earlier answer ' : ''}${verdict}${score === undefined ? '' : ` (score ${score})`}`]),
    ...(excluded === undefined ? [] : [`excluded: ${excluded}`]),
    ...(star ? ['★'] : []),
    ...(tags.length > 0 ? [tags.map((tag) => `#${tag}`).join(' ')] : []),
    ...(note === undefined ? [] : [cut(note.replaceAll(/\s+/g, ' '))]),
  ]
  return printable(`${pair} · row ${row}: ${parts.join(' · ')}`)
}

/** The start of a long note; --csv and --json have all of it. */
function cut(note: string): string {
  return note.length > 200 ? `${[...note].slice(0, 200).join('')}…` : note
}

/** Why fewer rows are compared than reviewed. */
function leftOut(pair: string, { unclear, unscored, outdated }: Review): string[] {
  const reasons = [
    ...(unclear > 0 ? [`${unclear} unclear to the reviewer`] : []),
    ...(unscored > 0 ? [`${unscored} without a score that is right or wrong`] : []),
    ...(outdated > 0 ? [`${outdated} on an answer that was replaced since`] : []),
  ]
  return reasons.length === 0 ? [] : [`${colors.yellow('note')} ${printable(pair)}: not compared: ${reasons.join(', ')}`]
}

const names = [
  'model',
  'format',
  'dataset',
  'row',
  'review',
  'score',
  'agrees',
  'outdated',
  'star',
  'tags',
  'note',
  'at',
  'row_hash',
  'excluded',
] as const

/** One line per annotated row. */
export function annotationsCsv(pairs: readonly ReviewedPair[]): string {
  const lines = pairs.flatMap(({ model, format, dataset, metric, rows }) =>
    rows.map(({ row, verdict, score, isOutdated, star, tags, note, excluded, at, row_hash }) => {
      const isSame = isOutdated || !metric ? undefined : agrees({ score, verdict }, metric.kind)
      const cells: Record<(typeof names)[number], string | number | undefined> = {
        ...{ model, format, dataset, row, review: verdict, score, note, excluded, at, row_hash },
        agrees: isSame === undefined ? undefined : isSame ? 'yes' : 'no',
        outdated: isOutdated ? 'yes' : undefined,
        star: star ? 'yes' : undefined,
        tags: tags?.join('; '),
      }
      return names.map((name) => csvCell(cells[name])).join(',')
    }),
  )
  return `${[names.join(','), ...lines].join('\n')}\n`
}
