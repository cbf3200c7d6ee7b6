import type { ComponentChildren } from 'preact'
import { visibleText } from '../prompt/visible-text.tsx'
import { placesOf } from './places-of.ts'

/** A text with all whole-word occurrences of another highlighted. */
export function markText(text: string, mark: string | undefined): ComponentChildren {
  const places = mark === undefined || mark.trim() === '' ? [] : placesOf(text, mark.trim())
  if (places.length === 0) return visibleText(text, false)
  const parts: ComponentChildren[] = []
  let last = 0
  for (const [start, end] of places) {
    parts.push(visibleText(text.slice(last, start), false), <mark class="read">{visibleText(text.slice(start, end), false)}</mark>)
    last = end
  }
  return [...parts, visibleText(text.slice(last), false)]
}
