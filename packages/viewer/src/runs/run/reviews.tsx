import type { Review } from 'rolecall/internal/evaluation/run/record/review'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { annotationTexts } from '../../texts/annotations.ts'
import { modelName } from '../../texts/model-name.ts'
import { showDecimal, showNumber } from '../../texts/numbers.ts'
import { runTexts } from '../../texts/run.ts'
import { figureText, intervalText } from '../figure-text.ts'
import { rowsHref } from '../links.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** The annotated rows of each pair, and how far the reviewer agrees with the scores. */
export function Reviews({ site, number, state, reviews }: RunPageProps & { reviews: readonly Review[] }) {
  const ui = annotationTexts()
  const shown = reviews.flatMap((review, pair) => (review.annotated > 0 ? [{ review, pair }] : []))
  if (shown.length === 0) return null
  const sum = (of: (review: Review) => number) => shown.reduce((all, { review }) => all + of(review), 0)
  const [outdated, unscored] = [sum((review) => review.outdated), sum((review) => review.unscored)]
  return (
    <Section
      name="reviews"
      title={ui.section(
        sum(({ reviewed }) => reviewed),
        sum(({ annotated }) => annotated),
      )}
      isOpen={false}
    >
      <FigureTable
        label={ui.reviewed}
        names={[
          runTexts().pair,
          ui.reviewed,
          ui.agree,
          ui.kappa,
          ui.scoreRight,
          ui.scoreWrong,
          ui.unclear,
          ui.corrected,
          ui.starred,
          ui.annotated,
        ]}
      >
        {shown.map(({ review, pair }) => {
          const { reviewed, agreement, counts, corrected, starred, annotated, unclear } = review
          const link = (count: number, show: string) =>
            count === 0 ? '–' : <a href={rowsHref(site, number, pair, { show })}>{showNumber(count)}</a>
          const unit = state.pairs[pair]?.figure?.unit ?? 'percent'
          const interval = agreement && { low: 100 * agreement.interval.low, high: 100 * agreement.interval.high }
          return (
            <tr key={pair}>
              <th scope="row">
                {visibleText(`${modelName(site.runs[number]!.pairs[pair]!)} · ${site.runs[number]!.pairs[pair]!.dataset}`, false)}
              </th>
              <td>{link(reviewed, 'reviewed')}</td>
              <td>{agreement ? ui.share(showDecimal(100 * agreement.share, 1), intervalText(interval, 'percent')) : '–'}</td>
              <td>{agreement?.kappa === undefined ? '–' : showDecimal(agreement.kappa, 2)}</td>
              <td>{link(counts.onlyFirst, 'overrated')}</td>
              <td>{link(counts.onlySecond, 'underrated')}</td>
              <td>{unclear === 0 ? '–' : showNumber(unclear)}</td>
              <td>{corrected === undefined ? '–' : figureText(corrected, unit)}</td>
              <td>{link(starred, 'starred')}</td>
              <td>{link(annotated, 'annotated')}</td>
            </tr>
          )
        })}
      </FigureTable>
      <p class="quiet">
        {ui.about} {outdated > 0 && ui.outdatedRows(outdated)} {unscored > 0 && ui.unscoredRows(unscored)}
      </p>
    </Section>
  )
}
