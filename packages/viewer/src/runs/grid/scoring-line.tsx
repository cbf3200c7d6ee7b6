import type { MainMetric } from 'rolecall/internal/evaluation/run/record/main-metric'
import { visibleText } from '../../prompt/visible-text.tsx'
import { scoringTexts } from '../../texts/scoring.ts'
import { verdictTexts } from '../../texts/verdicts.ts'
import { scoreText } from '../score-text.ts'
import { scoringOf } from './scoring-sentence.ts'

type ScoringLineProps = {
  record: Parameters<typeof scoringOf>[0]
  dataset: Parameters<typeof scoringOf>[1]
  model: Parameters<typeof scoringOf>[2]
  metric: MainMetric | undefined
}

/** How a reply was scored, as a sentence: which step took what, compared with what. */
export function ScoringLine({ record, dataset, model, metric }: ScoringLineProps) {
  const scoring = scoringOf(record, dataset, model, metric)
  if (!scoring) return null
  const { readBy, read, gold, comparedBy, result } = scoring
  const ui = scoringTexts()
  const steps = readBy.length === 0 ? undefined : readBy.map((name) => <code key={name}>{name}</code>)
  const quoted = (text: string) => <q>{visibleText(text, false)}</q>
  return (
    <p class="scoring">
      {result.kind === 'failed' && ui.failed}
      {result.kind === 'not-compared' &&
        (result.outcome === 'answered' || result.outcome === 'no-gold'
          ? ui.notScored
          : ui.foundNothing(steps, verdictTexts().outcomes[result.outcome as keyof ReturnType<typeof verdictTexts>['outcomes']]))}
      {(result.kind === 'right' || result.kind === 'wrong' || result.kind === 'score') && (
        <>
          {read !== undefined && ui.took(steps, quoted(read))}
          {gold !== undefined && ui.expected(quoted(gold))}
          {ui.compared(
            comparedBy === undefined ? undefined : <code>{comparedBy}</code>,
            <b class={result.kind === 'right' ? 'good' : result.kind === 'wrong' ? 'bad' : ''}>
              {result.kind === 'score' ? scoreText(result.score, metric) : ui[result.kind]}
            </b>,
          )}
        </>
      )}
    </p>
  )
}
