import { pyStr } from '@rolecall/core/internal/python'
import type { PairDiff, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { ErrorBox } from '../../parts/error-box.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { compareTexts } from '../../texts/compare.ts'
import { rowTexts } from '../../texts/row.ts'
import { VerdictMark } from '../verdict-mark.tsx'
import { Marked, useDiff } from './marked-diff.tsx'
import type { Side } from './sides.ts'
import { useSide } from './use-side.ts'

type ComparedRowProps = { site: Site; first: Side; second: Side; pair: PairDiff; index: number; onClose: () => void }

/** One row from both sides: answers and prompts side by side, with differences marked. */
export function ComparedRow({ site, first, second, pair, index, onClose }: ComparedRowProps) {
  const ui = compareTexts()
  const one = useSide(site, first, pair.first, pair.rows.places[0][index]!)
  const other = useSide(site, second, pair.second, pair.rows.places[1][index]!)
  const answers = useDiff(one.answer, other.answer)
  const prompts = useDiff(one.prompt, other.prompt)
  const sides = [
    { side: first, ...one, pair: pair.first },
    { side: second, ...other, pair: pair.second },
  ]
  return (
    <section class="pair-record" aria-label={rowTexts().label}>
      <div class="record-head">
        <h2>{rowTexts().title(pair.rows.ids[index]!)}</h2>
        <span class="spread" />
        <button type="button" onClick={onClose}>
          {ui.close}
        </button>
      </div>
      {one.error && <ErrorBox error={one.error} />}
      {other.error && <ErrorBox error={other.error} />}
      {one.record?.gold !== undefined && (
        <p class="quiet">
          {rowTexts().expected}: <b>{visibleText(pyStr(one.record.gold), false)}</b>
        </p>
      )}
      <div class="both">
        {sides.map(({ side, record, figure }, place) => (
          <section key={side.key} class="answer" aria-label={ui.answerIn(side.name)}>
            <h3>
              {visibleText(ui.answerIn(side.name), false)}
              {record && <VerdictMark score={record.score} outcome={record.outcome} failed={record.error !== undefined} figure={figure} />}
            </h3>
            <pre class="text">{record?.error === undefined ? <Marked parts={answers[place]!} /> : visibleText(record.error, false)}</pre>
          </section>
        ))}
        {sides.map(({ side, prompt, isLoading }, place) => (
          <section key={`${side.key} prompt`} class="answer" aria-label={ui.promptIn(side.name)}>
            <h3>{visibleText(ui.promptIn(side.name), false)}</h3>
            <pre class="text">{prompt === undefined ? isLoading ? '…' : ui.notKept : <Marked parts={prompts[place]!} />}</pre>
          </section>
        ))}
      </div>
    </section>
  )
}
