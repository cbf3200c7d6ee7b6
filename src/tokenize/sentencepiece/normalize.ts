import type { FindReplacement } from './charsmap.ts'

/** How text is made ready for the vocabulary. */
export type NormalizationRules = {
  replace: FindReplacement | undefined
  /** How much of the text at a place is a user-defined symbol, which is left as it is; 0 when none stands there. */
  symbolLength: ((text: string, at: number) => number) | undefined
  /** A space that the text does not have is put before it, or after it. */
  dummySpace: 'before' | 'after' | 'none'
  removeExtraWhitespaces: boolean
  escapeWhitespaces: boolean
  /** The text is a beginning: a space there is an extra one. */
  isBeginning: boolean
}

/** Text for the vocabulary; the UTF-16 unit i stands for the original text from `starts[i]` up to `ends[i]`. */
export type NormalizedText = { text: string; starts: readonly number[]; ends: readonly number[] }

/**
 * Normalizes a text as sentencepiece does (https://github.com/google/sentencepiece/blob/master/doc/normalization.md).
 * What disappears counts to the character before it; a character that becomes several is the origin of each.
 */
export function normalize(original: string, rules: NormalizationRules): NormalizedText {
  const { replace, symbolLength, removeExtraWhitespaces } = rules
  const space = rules.escapeWhitespaces ? '▁' : ' '
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  let at = 0

  // The next stretch of the original: what becomes of it and how long it is.
  let output = ''
  let length = 0
  let isSymbol = false

  if (removeExtraWhitespaces && rules.isBeginning) {
    for (; at < original.length; at += length) {
      readStretch()
      if (output !== ' ') break
    }
  }
  if (at === original.length) return { text, starts, ends }
  if (rules.dummySpace === 'before') write(space, 0, at)

  let isAfterSpace = removeExtraWhitespaces && rules.isBeginning
  for (; at < original.length; at += length) {
    readStretch()
    let removed = 0
    while (isAfterSpace && output[removed] === ' ') removed++
    const kept = removed === 0 ? output : output.slice(removed)
    if (kept === '') {
      extendLast(at + length)
      continue
    }
    if (isSymbol) writeSymbol(kept, at + removed)
    else write(kept.replaceAll(' ', space), at, at + length)
    isAfterSpace = removeExtraWhitespaces && kept.endsWith(' ')
  }

  const spaceAfter = removeExtraWhitespaces ? removeTrailingSpaces() : original.length
  if (rules.dummySpace === 'after') write(space, spaceAfter, original.length)
  else extendLast(original.length)
  return { text, starts, ends }

  function readStretch(): void {
    const symbol = symbolLength === undefined ? 0 : symbolLength(original, at)
    isSymbol = symbol > 0
    const replacement = isSymbol ? undefined : replace?.(original, at)
    if (replacement !== undefined) {
      output = replacement.text
      length = replacement.length
    } else {
      length = isSymbol ? symbol : characterLength(original, at)
      output = original.slice(at, at + length)
    }
  }

  function write(output: string, start: number, end: number): void {
    text += output
    const from = starts.length === 0 ? 0 : start
    for (let index = 0; index < output.length; index++) {
      starts.push(from)
      ends.push(end)
    }
  }

  function writeSymbol(symbol: string, start: number): void {
    for (let index = 0; index < symbol.length; ) {
      const end = index + characterLength(symbol, index)
      const character = symbol.slice(index, end)
      write(character === ' ' ? space : character, start + index, start + end)
      index = end
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
