import pc from 'picocolors'
import stringWidth from 'string-width'

/** How wide the terminal is; pipes get a width that reads well in files. */
export function terminalWidth(): number {
  return Math.max(40, process.stdout.columns ?? 100)
}

export type Paint = (text: string) => string

/** `NO_COLOR`, `FORCE_COLOR`, `--no-color` and pipes decide, as everywhere. */
export const colors = pc

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A line that is built stretch by stretch and broken where it is full, counting wide characters as two columns. */
export class WrappedLines {
  readonly lines: string[] = []
  #line = ''
  #column = 0
  readonly #width: number

  constructor(width: number) {
    this.#width = width
  }

  /** Adds text without newlines, painted stretch by stretch. */
  add(text: string, paint: Paint): void {
    let stretch = ''
    for (const { segment } of graphemes.segment(text)) {
      const width = stringWidth(segment)
      if (this.#column + width > this.#width) {
        this.#put(stretch, paint)
        stretch = ''
        this.#break()
      }
      stretch += segment
      this.#column += width
    }
    this.#put(stretch, paint)
  }

  newline(): void {
    this.#break()
  }

  #break(): void {
    this.lines.push(this.#line)
    this.#line = ''
    this.#column = 0
  }

  /** All lines, with the one that is still open if there is anything on it. */
  end(): string[] {
    if (this.#column > 0) this.#break()
    return this.lines
  }

  #put(text: string, paint: Paint): void {
    if (text !== '') this.#line += paint(text)
  }
}

/** Text as it can be shown: control characters would move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu, (character) => {
    const code = character.codePointAt(0)!
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`
  })
}
