import { type Outcome, outcomesOf } from 'rolecall/internal/evaluation/run/record/outcome'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { type RowVerdict, verdictOf } from 'rolecall/internal/server/viewer/rows/row-verdict'
import { verdictTexts } from '../texts/verdicts.ts'
import { type ScoredBy, scoreText } from './score-text.ts'

const signs: Readonly<Record<RowVerdict, string>> = {
  right: '✓',
  wrong: '✗',
  unread: '∅',
  'not-decided': '?',
  failed: '!',
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
  const outcomes = outcomesOf({ outcome, ...(failed ? { error: '' } : {}) })
  const verdict = verdictOf({ score, outcomes, failed }, figure)
  const { verdicts: names, outcomes: outcomeNames } = verdictTexts()
  const name =
    (verdict === 'unread' || verdict === 'none') && outcomes.length === 1 && outcomes[0] !== 'answered'
      ? outcomeNames[outcomes[0]!]
      : names[verdict]
  const why = outcomes.length > 1 ? reasonText(outcomes) : ''
  return (
    <span class={`verdict is-${verdict}`}>
      {verdict === 'scored' ? <ScoreNumber score={score!} figure={figure} /> : `${signs[verdict]} ${name}`}
      {why !== '' && <small> ({why})</small>}
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
export function reasonText(all: readonly Outcome[]): string {
  const { outcomes: names } = verdictTexts()
  if (all.length < 2) return all[0] ? names[all[0]] : ''
  return [...new Set(all)].map((kind) => `${all.filter((one) => one === kind).length} ${names[kind]}`).join(', ')
}
