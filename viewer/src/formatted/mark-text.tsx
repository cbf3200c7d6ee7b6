import type { ComponentChildren } from 'preact'
import { visibleText } from '../prompt/visible-text.tsx'

/** A text in which another is marked, wherever it stands as a word of its own. */
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

/** Where a text stands, not inside a longer word or number. */
export function placesOf(text: string, mark: string): [start: number, end: number][] {
  const found: [number, number][] = []
  const isWord = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character) && /[a-z0-9]/i.test(character)
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    const end = at + mark.length
    const isInside = (isWord(text[at - 1]) && isWord(mark[0])) || (isWord(text[end]) && isWord(mark.at(-1)))
    if (!isInside) found.push([at, end])
  }
  return found
}
