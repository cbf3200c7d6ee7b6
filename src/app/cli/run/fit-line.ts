import stringWidth from 'string-width'

/** A part of a line: those with a number are left out where the line is too long, the lowest first; one that may be `cut` gets shorter. */
export type LinePart = { text: string; leaveOut?: number; mayBeCut?: boolean }

const gap = '  '

/** The parts in one line of at most this width. What may be left out goes first, then what may be cut is cut, then the end. */
export function fitLine(parts: readonly LinePart[], width: number): string {
  let kept = parts.filter(({ text }) => text !== '')
  const leastNeeded = () => Math.min(...kept.map(({ leaveOut = Number.POSITIVE_INFINITY }) => leaveOut))
  while (widthOf(kept) > width && leastNeeded() < Number.POSITIVE_INFINITY) {
    const least = leastNeeded()
    kept = kept.filter(({ leaveOut }) => leaveOut !== least)
  }
  const tooMuch = widthOf(kept) - width
  if (tooMuch > 0)
    kept = kept.map((part) => (part.mayBeCut ? { text: shorten(part.text, Math.max(10, stringWidth(part.text) - tooMuch)) } : part))
  return shorten(kept.map(({ text }) => text).join(gap), width)
}

function widthOf(parts: readonly LinePart[]): number {
  return stringWidth(parts.map(({ text }) => text).join(gap))
}

/** A text that is too long loses its end and its colours; a mark says so. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  const plain = text.replace(/\u001b\[[\d;]*m/g, '')
  let shown = ''
  for (const character of plain) {
    if (stringWidth(shown + character) > width - 1) break
    shown += character
  }
  return `${shown.trimEnd()}…`
}
