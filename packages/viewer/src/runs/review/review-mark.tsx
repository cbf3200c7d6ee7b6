import type { ReviewVerdict } from 'rolecall/internal/evaluation/run/record/annotation'
import type { PageAnnotation } from 'rolecall/internal/server/viewer/viewer-data'
import { annotationTexts } from '../../texts/annotations.ts'

export const reviewSigns: Readonly<Record<ReviewVerdict, string>> = { right: '✓', wrong: '✗', unclear: '?' }

/** What is noted on a row, for a table: the reviewer's verdict, a star, and whether there are tags or a text. */
export function ReviewMark({ annotation }: { annotation: PageAnnotation | undefined }) {
  if (!annotation) return null
  const { verdict, star, tags, note, isOutdated } = annotation
  const ui = annotationTexts()
  const shown = verdict !== undefined && !isOutdated
  const words = [
    ...(shown ? [ui.reviewer(ui.verdicts[verdict])] : []),
    ...(star ? [ui.star] : []),
    ...(tags ? [tags.join(', ')] : []),
    ...(note === undefined ? [] : [note.slice(0, 200)]),
  ].join(' · ')
  return (
    <span class="review-mark" role="img" aria-label={words} title={words}>
      {shown && <span class={`review-${verdict}`}>{reviewSigns[verdict]}</span>}
      {star && '★'}
      {(tags || note !== undefined) && '✎'}
    </span>
  )
}
