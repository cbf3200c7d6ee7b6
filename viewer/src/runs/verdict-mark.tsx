import type { RowRecord } from '../../../src/evaluation/run/record/run-record.ts'
import { verdictTexts } from '../texts/verdicts.ts'
import { type ScoredBy, scoreText } from './score-text.ts'
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
  figure: ScoredBy
}

/** The verdict of a row as symbol and word; for quantities, a number with its unit and direction. */
export function VerdictMark({ score, outcome, failed, figure }: VerdictMarkProps) {
  const outcomes = outcomesOf(outcome)
  const verdict = verdictOf({ score, outcomes, failed }, figure)
  const { verdicts: names } = verdictTexts()
  const why = verdict === 'not-found' || outcomes.length > 1 ? reasonText(outcome) : ''
  return (
    <span class={`verdict is-${verdict}`}>
      {verdict === 'scored' ? <ScoreNumber score={score!} figure={figure} /> : `${signs[verdict]} ${names[verdict]}`}
      {why !== '' && why !== names[verdict] && <small> ({why})</small>}
    </span>
  )
}

function ScoreNumber({ score, figure }: { score: number; figure: ScoredBy }) {
  const better = figure?.direction === 'lower' ? verdictTexts().lowerIsBetter : undefined
  return (
    <span title={better}>
      {scoreText(score, figure)}
      {better && <span aria-hidden="true"> ↓</span>}
    </span>
  )
}

/** `cut`, or `2 answered, 1 cut` for a row with several answers. */
export function reasonText(outcome: RowRecord['outcome']): string {
  const all = outcomesOf(outcome)
  const { outcomes: names } = verdictTexts()
  if (all.length < 2) return all[0] ? names[all[0]] : ''
  return [...new Set(all)].map((kind) => `${all.filter((one) => one === kind).length} ${names[kind]}`).join(', ')
}
