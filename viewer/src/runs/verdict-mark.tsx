import type { MainFigure } from '../../../src/record/main-figure.ts'
import type { RowRecord } from '../../../src/record/run-record.ts'
import { showDecimal } from '../words/numbers.ts'
import { unitName } from '../words/units.ts'
import { verdictWords } from '../words/verdicts.ts'
import { outcomesOf, type Verdict, verdictOf } from './verdict.ts'

const signs: Readonly<Record<Verdict, string>> = {
  right: '✓',
  wrong: '✗',
  'not-found': '∅',
  'not-decided': '?',
  error: '!',
  scored: '',
  none: '–',
}

type VerdictMarkProps = {
  score: number | undefined
  outcome?: RowRecord['outcome']
  failed: boolean
  /** What the score means; without it, it is a number and no more. */
  figure: Pick<MainFigure, 'kind' | 'unit' | 'direction' | 'isMeanOfRows'> | undefined
}

/** How a row came out, in a sign and a word; a number with its unit, and which way is better, where it is no verdict. */
export function VerdictMark({ score, outcome, failed, figure }: VerdictMarkProps) {
  const outcomes = outcomesOf(outcome)
  const verdict = verdictOf({ score, outcomes, failed }, figure)
  const { verdicts: names } = verdictWords()
  const why = verdict === 'not-found' || outcomes.length > 1 ? reasonText(outcome) : ''
  return (
    <span class={`verdict is-${verdict}`}>
      {verdict === 'scored' ? <ScoreNumber score={score!} figure={figure} /> : `${signs[verdict]} ${names[verdict]}`}
      {why !== '' && why !== names[verdict] && <small> ({why})</small>}
    </span>
  )
}

function ScoreNumber({ score, figure }: { score: number; figure: VerdictMarkProps['figure'] }) {
  const better = figure?.direction === 'lower' ? verdictWords().lowerIsBetter : undefined
  return (
    <span title={better}>
      {scoreText(score, figure)}
      {better && <span aria-hidden="true"> ↓</span>}
    </span>
  )
}

/** The score of a row as its figure counts: in per cent where the figure is the mean of such rows. */
export function scoreText(score: number, figure: VerdictMarkProps['figure']): string {
  if (figure?.kind === 'quantity') return `${showDecimal(score, 4)} ${unitName(figure.unit)}`
  return figure?.unit === 'percent' && figure.isMeanOfRows !== false ? `${showDecimal(100 * score, 1)} %` : showDecimal(score, 2)
}

/** `cut`, or `2 answered, 1 cut` of a row with several answers. */
export function reasonText(outcome: RowRecord['outcome']): string {
  const all = outcomesOf(outcome)
  const { outcomes: names } = verdictWords()
  if (all.length < 2) return all[0] ? names[all[0]] : ''
  return [...new Set(all)].map((kind) => `${all.filter((one) => one === kind).length} ${names[kind]}`).join(', ')
}
