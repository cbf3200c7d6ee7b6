import type { FindReplacement } from './charsmap.ts'

/** The length of the user-defined symbol at a position of a text; 0 if there is none. */
export type SymbolLength = (text: string, at: number) => number

/** How text is prepared for the vocabulary. */
export type NormalizationRules = {
  replace?: FindReplacement | undefined
  /** User-defined symbols are not normalized. */
  symbolLength?: SymbolLength | undefined
  /** Adds a space before the text, or after it. */
  dummySpace: 'before' | 'after' | 'none'
  removeExtraWhitespaces: boolean
  escapeWhitespaces: boolean
  /** The text is at the beginning, where a space is extra. */
  isBeginning: boolean
}

/** Text for the vocabulary; the UTF-16 unit i comes from the original text from `starts[i]` up to `ends[i]`. */
export type NormalizedText = { text: string; starts: readonly number[]; ends: readonly number[] }

/**
 * Normalizes a text as sentencepiece does (https://github.com/google/sentencepiece/blob/master/doc/normalization.md).
 * What disappears counts to the character before it; a character that becomes several is the origin of each.
 *
 * @example
 * const rules = { dummySpace: 'before', removeExtraWhitespaces: true, escapeWhitespaces: true, isBeginning: true }
 * normalize('a  b', rules) // => { text: '▁a▁b', starts: [0, 0, 1, 3], ends: [0, 1, 3, 4] }
 */
export function normalize(original: string, rules: NormalizationRules): NormalizedText {
  const { replace, symbolLength, removeExtraWhitespaces } = rules
  const space = rules.escapeWhitespaces ? '▁' : ' '
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  /** Up to here the original is in the text; the rest, up to `at`, is unchanged. */
  let copied = 0

  // The next chunk of the original: its length, and its replacement unless it is one unchanged character.
  let length = 0
  let output: string | undefined
  let isSymbol = false

  if (removeExtraWhitespaces && rules.isBeginning) {
    for (; at < original.length; at += length) {
      readChunk()
      if (output !== ' ') break
    }
  }
  if (at === original.length) return { text, starts, ends }
  copied = at
  if (rules.dummySpace === 'before') append(space, 0, at)

  let isAfterSpace = removeExtraWhitespaces && rules.isBeginning
  for (; at < original.length; at += length) {
    readChunk()
    if (output === undefined) {
      align(length, at, at + length)
      isAfterSpace = false
      continue
    }
    text += original.slice(copied, at)
    copied = at + length
    let removed = 0
    while (isAfterSpace && output[removed] === ' ') removed++
    const kept = output.slice(removed)
    if (kept === '') {
      extendLast(at + length)
      continue
    }
    if (isSymbol) appendSymbol(kept, at + removed)
    else append(kept === ' ' ? space : kept.replaceAll(' ', space), at, at + length)
    isAfterSpace = removeExtraWhitespaces && kept.endsWith(' ')
  }
  text += original.slice(copied)

  const spaceAfter = removeExtraWhitespaces ? removeTrailingSpaces() : original.length
  if (rules.dummySpace === 'after') append(space, spaceAfter, original.length)
  else extendLast(original.length)
  return { text, starts, ends }

  function readChunk(): void {
    length = symbolLength === undefined ? 0 : symbolLength(original, at)
    isSymbol = length > 0
    const replacement = isSymbol ? undefined : replace?.(original, at)
    if (isSymbol) output = original.slice(at, at + length)
    else if (replacement !== undefined) {
      output = replacement.text
      length = replacement.length
    } else {
      output = original.charCodeAt(at) === 0x20 ? ' ' : undefined
      length = characterLength(original, at)
    }
  }

  function append(output: string, start: number, end: number): void {
    text += output
    align(output.length, start, end)
  }

  function appendSymbol(symbol: string, start: number): void {
    for (let index = 0; index < symbol.length; ) {
      const end = index + characterLength(symbol, index)
      const character = symbol.slice(index, end)
      append(character === ' ' ? space : character, start + index, start + end)
      index = end
    }
  }

  /** Sets the part of the original that the next units come from. */
  function align(units: number, start: number, end: number): void {
    const from = starts.length === 0 ? 0 : start
    for (let unit = 0; unit < units; unit++) {
      starts.push(from)
      ends.push(end)
    }
  }

  function extendLast(end: number): void {
    const last = starts.length - 1
    const start = starts[last]
    const oldEnd = ends[last]
    for (let index = last; index >= 0 && starts[index] === start && ends[index] === oldEnd; index--) ends[index] = end
  }

  /** Where in the original the removed spaces begin. */
  function removeTrailingSpaces(): number {
    let kept = text.length
    while (kept > 0 && text[kept - 1] === space) kept--
    const removedFrom = starts[kept] ?? original.length
    text = text.slice(0, kept)
    starts.length = kept
    ends.length = kept
    return removedFrom
  }
}

/** How many UTF-16 units the character at a place takes. */
export function characterLength(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1
}
