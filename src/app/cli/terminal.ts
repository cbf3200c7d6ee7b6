import pc from 'picocolors'
import stringWidth from 'string-width'
import type { Note } from '../../base/errors/note.ts'

/** How wide the terminal is; pipes get a width that reads well in files. */
export function terminalWidth(): number {
  return Math.max(40, process.stdout.columns ?? 100)
}

export type Paint = (text: string) => string

/** `NO_COLOR`, `FORCE_COLOR`, `--no-color` and pipes decide, as everywhere. */
export const colors = pc

/** Made when it is first needed: it takes Node 17 ms. */
let segmenter: Intl.Segmenter | undefined
const graphemes = () => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/**
 * What a reader sees as one character. Segmenting takes quadratic time in the length of a text, so that long texts are
 * looked at in chunks, and plain ASCII not at all.
 */
function* charactersOf(text: string): Generator<string> {
  if (/^[ -~]*$/.test(text)) {
    yield* text
    return
  }
  for (let start = 0; start < text.length; ) {
    const found = Array.from(graphemes().segment(text.slice(start, start + 512)), ({ segment }) => segment)
    // The last may go on behind the chunk: it is looked at again with what follows.
    const whole = start + 512 < text.length && found.length > 1 ? found.slice(0, -1) : found
    for (const segment of whole) {
      yield segment
      start += segment.length
    }
  }
}

/** A line of the terminal; `continues` when it is the rest of a line that was too long. */
export type Line = { text: string; continues: boolean }

/** Lines that are built chunk by chunk and broken where they are full, counting wide characters as two columns. */
export class WrappedLines {
  readonly #lines: Line[] = []
  #text = ''
  #column = 0
  #continues = false
  readonly #width: number

  constructor(width: number) {
    this.#width = width
  }

  /** Adds text without newlines, painted chunk by chunk. */
  add(text: string, paint: Paint): void {
    let chunk = ''
    for (const segment of charactersOf(text)) {
      const width = segment.length === 1 && segment < '\u0300' ? 1 : stringWidth(segment)
      if (this.#column + width > this.#width) {
        this.#put(chunk, paint)
        chunk = ''
        this.#break(true)
      }
      chunk += segment
      this.#column += width
    }
    this.#put(chunk, paint)
  }

  newline(): void {
    this.#break(false)
  }

  /** Goes to the next line unless this text fits, so that what belongs together is not broken. */
  reserve(text: string): void {
    const width = stringWidth(text)
    if (this.#column > 0 && this.#column + width > this.#width && width <= this.#width) this.#break(true)
  }

  /** All lines, with the one that is still open if there is anything on it. */
  end(): Line[] {
    if (this.#column > 0) this.#break(false)
    return this.#lines
  }

  #break(continues: boolean): void {
    this.#lines.push({ text: this.#text, continues: this.#continues })
    this.#text = ''
    this.#column = 0
    this.#continues = continues
  }

  #put(text: string, paint: Paint): void {
    if (text !== '') this.#text += paint(text)
  }
}

/** Text as it can be shown: control characters would move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu, (character) => {
    const code = character.codePointAt(0)!
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`
  })
}

/** What is legal and probably not meant, or was skipped, in one line. */
export function showWarning({ text, where }: Note): string {
  return `${colors.yellow('warning')} ${printable(text)}${where ? colors.dim(` (${printable(where)})`) : ''}`
}

/** For output that programs read: what people should know goes beside it. */
export function warnBeside(notes: readonly Note[]): void {
  for (const note of notes) process.stderr.write(`${showWarning(note)}\n`)
}
