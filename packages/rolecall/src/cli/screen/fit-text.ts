import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'

/** The columns that a text takes on a terminal; without escape codes. */
export const widthOf = stringWidth

let segmenter: Intl.Segmenter | undefined

/** What is drawn as one character; an accent belongs to its letter. */
function charactersOf(text: string): string[] {
  if (/^[ -~]*$/.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/**
 * A text with an ellipsis in its middle, at most this wide.
 *
 * @example
 * shorten('Qwen2.5-72B-Instruct', 12) // => 'Qwen2.…truct'
 */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const characters = charactersOf(text)
  const head = takeWidth(characters, Math.ceil((width - 1) / 2))
  const tail = takeWidth(characters.toReversed(), width - 1 - widthOf(head.join(''))).toReversed()
  return `${head.join('')}…${tail.join('')}`
}

/** A text that ends in an ellipsis if it is wider than this. */
export function cut(text: string, width: number): string {
  return widthOf(text) <= width
    ? text
    : `${takeWidth(charactersOf(text), width - 1)
        .join('')
        .trimEnd()}…`
}

function takeWidth(characters: readonly string[], width: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const character of characters) {
    used += widthOf(character)
    if (used > width) break
    taken.push(character)
  }
  return taken
}

/** Breaks a text between words. A word that is wider than the line, or Chinese, is broken between characters. */
export function wrap(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text]
  return joinWhole(
    text.split(/ +/).flatMap((word) => (widthOf(word) <= width ? [word] : broken(word, width))),
    ' ',
    width,
  )
}

/** The same for a text of several lines. */
export function wrapLines(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrap(line, width))
}

/** Lines of a report that are too wide go on below, further to the right than they begin. */
export function wrapReport(text: string, width: number): string {
  const lines = text.split('\n').flatMap((line) => {
    if (widthOf(line) <= width) return [line]
    const [indent = ''] = /^ */.exec(line) ?? []
    const [first = '', ...rest] = wrap(line.slice(indent.length), width - indent.length - hanging)
    return [indent + first, ...rest.map((part) => ' '.repeat(indent.length + hanging) + part)]
  })
  return lines.join('\n')
}

const hanging = 2

/** Joins parts into lines without breaking them. */
export function joinWhole(parts: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const line = lines.at(-1)
    if (line !== undefined && widthOf(line) + widthOf(separator) + widthOf(part) <= width) lines[lines.length - 1] = line + separator + part
    else lines.push(part)
  }
  return lines
}

function broken(word: string, width: number): string[] {
  const lines: string[] = []
  // A colour in the middle of a word is given up where the word is.
  let rest = charactersOf(stripVTControlCharacters(word))
  while (rest.length > 0) {
    const taken = takeWidth(rest, width)
    const line = taken.length > 0 ? taken : rest.slice(0, 1)
    lines.push(line.join(''))
    rest = rest.slice(line.length)
  }
  return lines
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}
