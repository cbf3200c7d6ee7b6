import type { ComponentChildren } from 'preact'
import { visibleText } from '../prompt/visible-text.tsx'
import { withoutMark } from './marked-range.ts'

/** Draws a text of `withMark`. A range that rendering split is not marked. */
export function markText(text: string): ComponentChildren {
  const found = /\uE000([^\uE001]*)\uE001/.exec(text)
  if (!found) return visibleText(withoutMark(text), false)
  return [
    visibleText(text.slice(0, found.index), false),
    <mark class="read">{visibleText(found[1]!, false)}</mark>,
    visibleText(text.slice(found.index + found[0].length), false),
  ]
}
