import type { Site, WhyView } from 'rolecall/internal/server/viewer/viewer-data'
import { type WhyRow, whyRow } from 'rolecall/internal/workbench/why/why-row'
import { ErrorBox } from '../../parts/error-box.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { compareTexts } from '../../texts/compare.ts'
import { rowTexts } from '../../texts/row.ts'
import { whyTexts } from '../../texts/why.ts'
import { Marked, useDiff } from '../compare/marked-diff.tsx'
import { useSide } from '../compare/use-side.ts'
import { rowsHref } from '../links.ts'
import type { ExplainedPair } from './explained-rows.tsx'
import type { ListedRow } from './listed-rows.ts'

type ExplainedRowProps = {
  site: Site
  view: WhyView
  first: ExplainedPair
  second: ExplainedPair
  row: ListedRow
  onClose: () => void
}

/** One row from both runs under the explained metrics: verdicts, replies and prompts, with differences marked. */
export function ExplainedRow({ site, view, first, second, row, onClose }: ExplainedRowProps) {
  const ui = whyTexts()
  const words = compareTexts()
  const one = useSide(site, first, first.pair, row.places[0])
  const other = useSide(site, second, second.pair, row.places[1])
  const { report } = view
  const read = [
    one.record && whyRow(one.record, report.first.metric, one.prompt),
    other.record && whyRow(other.record, report.second.metric, other.prompt),
  ]
  const replies = useDiff(read[0]?.reply, read[1]?.reply)
  const texts = read.map((known) => known && promptText(known.prompt))
  const prompts = useDiff(texts[0], texts[1])
  const sides = [
    { ...first, side: one, place: row.places[0] },
    { ...second, side: other, place: row.places[1] },
  ]
  return (
    <section class="pair-record" aria-label={rowTexts().label}>
      <div class="record-head">
        <h2>{rowTexts().title(row.id)}</h2>
        <span class="spread" />
        <button type="button" onClick={onClose}>
          {ui.closeRows}
        </button>
      </div>
      {sides.map(({ side }, index) => side.error && <ErrorBox key={index} error={side.error} />)}
      <div class="both">
        {sides.map(({ run, pair, name, side, place }, index) => (
          <section key={index} class="answer" aria-label={words.answerIn(name)}>
            <h3>
              {side.record ? (
                <a href={rowsHref(site, run, pair, { row: String(side.record.id) })}>{visibleText(words.answerIn(name), false)}</a>
              ) : (
                visibleText(words.answerIn(name), false)
              )}
            </h3>
            {place === undefined ? <p class="quiet">{ui.notThere}</p> : <Verdict row={read[index]} />}
            {place !== undefined && (
              <pre class="text">
                {read[index]?.error === undefined ? <Marked parts={replies[index]!} /> : visibleText(read[index].error, false)}
              </pre>
            )}
          </section>
        ))}
        {sides.map(({ name, side, place }, index) => (
          <section key={`prompt ${index}`} class="answer" aria-label={words.promptIn(name)}>
            <h3>{visibleText(words.promptIn(name), false)}</h3>
            {place === undefined ? (
              <p class="quiet">{ui.notThere}</p>
            ) : (
              <pre class="text">
                {texts[index] === undefined ? side.isLoading ? '…' : words.notKept : <Marked parts={prompts[index]!} />}
              </pre>
            )}
          </section>
        ))}
      </div>
    </section>
  )
}

/** Messages one below the other. */
function promptText(prompt: WhyRow['prompt']): string | undefined {
  return typeof prompt === 'object' ? prompt.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n') : prompt
}

/** What was read from a reply, what was expected, and the score. */
function Verdict({ row }: { row: WhyRow | undefined }) {
  const ui = whyTexts()
  if (!row) return <p class="quiet">…</p>
  const facts = [
    [ui.score, row.score === undefined ? ui.noScore : String(row.score)],
    [ui.extracted, row.pred],
    [ui.gold, row.gold],
    [ui.finish, row.finish],
    [ui.reasoning, row.reasoning],
  ] as const
  return (
    <dl class="why-facts">
      {facts.map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visibleText(value, false)}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
