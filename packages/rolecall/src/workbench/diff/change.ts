/** The differing part of two texts, between their common prefix and suffix. */
export type Change = { start: number; first: string; second: string }

/** The differing part of two texts, extended to whole markers and words. */
export function changeBetween(first: string, second: string): Change {
  const shortest = Math.min(first.length, second.length)
  let start = 0
  while (start < shortest && first[start] === second[start]) start++
  let end = 0
  while (end < shortest - start && first.at(-1 - end) === second.at(-1 - end)) end++
  const changed = (text: string) => text.slice(start, text.length - end)
  // A pure insertion may fit at several positions; a replacement is easier to read with whole markers.
  if (changed(first) === '' || changed(second) === '') {
    const moved = atMarker(changed(first) === '' ? second : first, start, end)
    start -= moved
    end += moved
  } else {
    start = tokenStart(first, start)
    end = Math.min(...[first, second].map((text) => text.length - tokenEnd(text, text.length - end)))
  }
  return { start, first: first.slice(start, first.length - end), second: second.slice(start, second.length - end) }
}

/** How far left an insertion can move to start with a marker: in `<s><a>`, `s><` is `<s>` one character earlier. */
function atMarker(text: string, start: number, end: number): number {
  const length = text.length - end - start
  for (let moved = 0; moved <= start && moved < length; moved++) {
    if (moved > 0 && text[start - moved] !== text[start - moved + length]) return 0
    const inserted = text.slice(start - moved, start - moved + length)
    if (/^[<[].*[>\]\s]$/s.test(inserted)) return moved
  }
  return 0
}

/** Describes the change from the first to the second. */
export function sayChange({ first, second }: Change): string {
  const quoted = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text)
  if (second === '') return `the second lacks ${quoted(first)}`
  if (first === '') return `the second has ${quoted(second)} in addition`
  return `${quoted(first)} becomes ${quoted(second)}`
}

const inToken = /[^\s<>[\]]/

function tokenStart(text: string, at: number): number {
  let start = at
  while (start > 0 && inToken.test(text[start - 1]!)) start--
  return start > 0 && /[<[]/.test(text[start - 1]!) ? start - 1 : start
}

function tokenEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && inToken.test(text[end]!)) end++
  return end < text.length && /[>\]]/.test(text[end]!) ? end + 1 : end
}
