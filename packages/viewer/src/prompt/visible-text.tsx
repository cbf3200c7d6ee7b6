import type { ComponentChildren } from 'preact'
import { hasRightToLeft } from './right-to-left.ts'

/**
 * Makes text readable: invisible and direction-changing characters get a mark. The mark is drawn beside the character, which
 * stays in place, so that copied text is what is sent, to the byte. Right-to-left text is isolated, so that adjacent names and
 * numbers keep their places; `isPart` for part of an isolated text.
 */
export function visibleText(text: string, showWhitespace: boolean, { isPart = false } = {}): ComponentChildren {
  const shown = withMarks(text, showWhitespace)
  return isPart || !hasRightToLeft(text) ? shown : <span class="isolated">{shown}</span>
}

function withMarks(text: string, showWhitespace: boolean): ComponentChildren {
  const hidden = showWhitespace ? hiddenOrSpace : hiddenOnly
  if (!hidden.test(text)) return text
  hidden.lastIndex = 0
  const parts: ComponentChildren[] = []
  let last = 0
  for (const found of text.matchAll(hidden)) {
    if (found.index > last) parts.push(text.slice(last, found.index))
    parts.push(mark(found[0], showWhitespace))
    last = found.index + found[0].length
  }
  parts.push(text.slice(last))
  return parts
}

const hiddenOnly =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\ud800-\udfff]/gu
const hiddenOrSpace =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\ud800-\udfff]|\n| +|\t|[\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu

function mark(text: string, showWhitespace: boolean) {
  if (text === '\n')
    return (
      <span class="white" data-mark="⏎">
        {text}
      </span>
    )
  if (text === '\t')
    return (
      <span class="white" data-mark="→">
        {text}
      </span>
    )
  if (text.startsWith(' ')) return <span class="spaces">{text}</span>
  if (showWhitespace && /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/.test(text)) {
    return (
      <span class="white wide" data-mark={text === '\u3000' ? '□' : '⍽'}>
        {text}
      </span>
    )
  }
  return (
    <span class="unseen" data-mark={nameOf(text)} title={codeOf(text)}>
      {text}
    </span>
  )
}

const names: Record<number, string> = {
  173: 'SHY',
  1564: 'ALM',
  8203: 'ZWSP',
  8204: 'ZWNJ',
  8205: 'ZWJ',
  8206: 'LRM',
  8207: 'RLM',
  8232: 'LS',
  8233: 'PS',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8288: 'WJ',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  65279: 'BOM',
}

function nameOf(text: string): string {
  const code = text.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return names[code] ?? codeOf(text)
}

function codeOf(text: string): string {
  return `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
