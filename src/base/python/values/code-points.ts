import { checkItems } from '../limits.ts'
import { touchCharacters } from '../meter.ts'
import { plainText, type Str, sliceText } from './text.ts'

const surrogates = /[\ud800-\udfff]/

/** Whether positions in UTF-16 units differ from Python's, which count code points. */
export function hasPairs(text: string): boolean {
  return surrogates.test(text)
}

export function lengthOf(text: string): number {
  if (!hasPairs(text)) return text.length
  let length = 0
  for (let at = 0; at < text.length; length++) at += widthAt(text, at)
  return length
}

/** The UTF-16 offset of the code point with this number; the length of the text for numbers beyond. */
export function offsetOf(text: string, index: number): number {
  if (!hasPairs(text)) return Math.min(index, text.length)
  let at = 0
  for (let count = 0; count < index && at < text.length; count++) at += widthAt(text, at)
  return at
}

/** The number of the code point at a UTF-16 offset. */
export function indexOfOffset(text: string, offset: number): number {
  return lengthOf(text.slice(0, offset))
}

/** Its characters, each with who wrote it. */
export function charactersOf(text: Str): Str[] {
  const { length } = plainText(text)
  touchCharacters(length >> 1)
  checkItems(length)
  if (typeof text === 'string') return hasPairs(text) ? [...text] : text.split('')
  const value = plainText(text)
  const characters: Str[] = []
  for (let at = 0; at < value.length; ) {
    const end = at + widthAt(value, at)
    characters.push(sliceText(text, at, end))
    at = end
  }
  return characters
}

function widthAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 0xd800 || code > 0xdbff) return 1
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}
