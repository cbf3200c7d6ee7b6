import type { Note } from '@rolecall/core/internal/errors'
import pc from 'picocolors'
import stringWidth from 'string-width'
import { noteRow } from '../node/notes/all-notes.ts'
import { wrap } from './screen/fit-text.ts'

/** The terminal width; a default for pipes. */
export function terminalWidth(): number {
  return Math.max(40, process.stdout.columns ?? 100)
}

/** The width of a screen: that of the terminal, else what COLUMNS says, else that of every terminal. */
export function screenWidth(): number {
  const columns = process.stdout.columns || process.stderr.columns || Number(process.env.COLUMNS)
  return columns >= 1 ? Math.max(40, Math.floor(columns)) : 80
}

/**
 * The width for messages on standard error: that of the terminal, or what COLUMNS says. In a pipe or a log, lines stay whole, so that a search
 * finds them.
 */
export function messageWidth(): number {
  return process.stderr.columns || Number(process.env.COLUMNS) >= 1 ? screenWidth() : Number.POSITIVE_INFINITY
}

/** Longer lines of prose are hard to read on a screen. */
const widestProse = 100

/** The width for sentences on standard error. */
export function proseWidth(): number {
  const width = messageWidth()
  return Number.isFinite(width) ? Math.min(width, widestProse) : width
}

export type Paint = (text: string) => string

/** Respects `NO_COLOR`, `FORCE_COLOR`, `--no-color` and pipes. */
export const colors = pc

/** Created on first use: it takes 17 ms. */
let segmenter: Intl.Segmenter | undefined
const graphemes = () => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** Grapheme clusters. Segmenting takes quadratic time, so long texts are processed in chunks, and ASCII is skipped. */
function* charactersOf(text: string): Generator<string> {
  if (/^[ -~]*$/.test(text)) {
    yield* text
    return
  }
  for (let start = 0; start < text.length; ) {
    const found = Array.from(graphemes().segment(text.slice(start, start + 512)), ({ segment }) => segment)
    // The last cluster may continue in the next chunk, and is segmented again with it.
    const complete = start + 512 < text.length && found.length > 1 ? found.slice(0, -1) : found
    for (const segment of complete) {
      yield segment
      start += segment.length
    }
  }
}

/** A line of the terminal; `continues` if it is the rest of a wrapped line. */
export type TerminalLine = { text: string; continues: boolean }

/** A character of the line that is being built; `run` numbers the text that was added with it. */
type LineCharacter = { text: string; width: number; paint: Paint; run: number }

/** Builds wrapped lines chunk by chunk; wide characters take two columns. Lines break after a blank, inside words where there is none. */
export class WrappedLines {
  readonly #lines: TerminalLine[] = []
  #line: LineCharacter[] = []
  #column = 0
  #run = 0
  #continues = false
  readonly #width: number

  constructor(width: number) {
    this.#width = width
  }

  /** Adds text without newlines. */
  add(text: string, paint: Paint): void {
    const run = this.#run++
    for (const segment of charactersOf(text)) {
      const width = segment.length === 1 && segment < '\u0300' ? 1 : stringWidth(segment)
      if (this.#column + width > this.#width) this.#wrap(segment)
      this.#line.push({ text: segment, width, paint, run })
      this.#column += width
    }
  }

  newline(): void {
    this.#break(false)
  }

  /** Starts a new line unless this text fits. */
  reserve(text: string): void {
    const width = stringWidth(text)
    if (this.#column > 0 && this.#column + width > this.#width && width <= this.#width) this.#break(true)
  }

  /** All lines, including an unfinished one. */
  end(): TerminalLine[] {
    if (this.#column > 0) this.#break(false)
    return this.#lines
  }

  /** Ends the line after its last blank, before this character. Chinese, and words over half of the line, are broken anywhere. */
  #wrap(next: string): void {
    const blank = this.#line.findLastIndex(({ text }) => text === ' ')
    const rest = /^[!-~]$/.test(next) ? this.#line.slice(blank + 1) : []
    const restWidth = rest.reduce((sum, { width }) => sum + width, 0)
    const isWord = blank >= 0 && restWidth > 0 && restWidth <= this.#width / 2 && rest.every(({ text }) => /^[!-~]$/.test(text))
    if (isWord) this.#line.length = blank + 1
    this.#break(true)
    if (!isWord) return
    this.#line = rest
    this.#column = restWidth
  }

  #break(continues: boolean): void {
    this.#lines.push({ text: painted(this.#line), continues: this.#continues })
    this.#line = []
    this.#column = 0
    this.#continues = continues
  }
}

/** Text that was added at once is painted at once. */
function painted(line: readonly LineCharacter[]): string {
  let text = ''
  for (let start = 0; start < line.length; ) {
    const { run, paint } = line[start]!
    let end = start
    let chunk = ''
    while (line[end]?.run === run) chunk += line[end++]!.text
    text += paint(chunk)
    start = end
  }
  return text
}

/** Escapes control characters, which would move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu, (character) => {
    const code = character.codePointAt(0)!
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`
  })
}

/** The severity of a note, as it is shown before the text. */
export function noteLabel({ code }: Pick<Note, 'code'>): string {
  return colors.yellow(noteRow(code)?.severity ?? 'warning')
}

/** A note with its severity before it; further lines are below its text. */
export function showNote({ code, text, where }: Note): string {
  return labelled(noteRow(code)?.severity ?? 'warning', where ? `${text} (${where})` : text)
}

/** A text that has no code, as a note. */
export function noteText(text: string): string {
  return labelled('note', text)
}

function labelled(label: string, text: string): string {
  const indent = ' '.repeat(label.length + 1)
  return `${colors.yellow(label)} ${wrap(printable(text), proseWidth() - indent.length).join(`\n${indent}`)}`
}

/** Prints notes and warnings to standard error. */
export function printWarnings(notes: readonly Note[]): void {
  for (const note of notes) process.stderr.write(`${showNote(note)}\n`)
}
