import stringWidth from 'string-width'

/** A part of a line. If the line is too long, parts with `leaveOut` are dropped, the lowest first; then `mayBeCut` parts are truncated. */
export type LinePart = { text: string; leaveOut?: number; mayBeCut?: boolean }

const gap = '  '

/** Fits the parts into one line: drops optional parts, truncates others, then the line. */
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

/** Truncates a long text with an ellipsis; removes its colours. */
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
