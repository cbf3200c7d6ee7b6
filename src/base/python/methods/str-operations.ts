import { checkLength } from '../limits.ts'
import { touchCharacters } from '../meter.ts'
import { typeError, valueError } from '../python-error.ts'
import { charactersOf } from '../values/code-points.ts'
import { isSpace } from '../values/space.ts'
import { joinTexts, plainText, type Str, sliceText } from '../values/text.ts'
import { stringOf, type Value } from '../values/value.ts'

/** `strip`, `lstrip` and `rstrip`: white space, or any of some characters. */
export function stripStr(self: Str, characters: Value, name: 'strip' | 'lstrip' | 'rstrip'): Str {
  const value = plainText(self)
  let start = 0
  let end = value.length
  if (characters === null) {
    if (name !== 'rstrip') while (start < end && isSpace(value.charCodeAt(start))) start++
    if (name !== 'lstrip') while (end > start && isSpace(value.charCodeAt(end - 1))) end--
  } else {
    const chosen = stringOf(characters)
    if (chosen === undefined) throw typeError(`${name} arg must be None or str`)
    const set = new Set(charactersOf(chosen))
    if (name !== 'rstrip') {
      for (let width = widthAt(value, start, end, set); width > 0; width = widthAt(value, start, end, set)) start += width
    }
    if (name !== 'lstrip') {
      for (let width = widthBefore(value, start, end, set); width > 0; width = widthBefore(value, start, end, set)) end -= width
    }
  }
  return sliceText(self, start, end)
}

function widthAt(value: string, at: number, end: number, set: ReadonlySet<unknown>): number {
  if (at >= end) return 0
  const character = String.fromCodePoint(value.codePointAt(at)!)
  return set.has(character) ? character.length : 0
}

function widthBefore(value: string, start: number, end: number, set: ReadonlySet<unknown>): number {
  if (end <= start) return 0
  const pair = end - 2 >= start ? value.slice(end - 2, end) : ''
  if (pair !== '' && pair.codePointAt(0)! > 0xffff) return set.has(pair) ? 2 : 0
  return set.has(value[end - 1]) ? 1 : 0
}

/** `split` and `rsplit`; without a separator, at stretches of white space. */
export function splitStr(self: Str, separator: Str | undefined, limit: number, fromRight: boolean): Str[] {
  touchCharacters(plainText(self).length >> 2)
  const value = plainText(self)
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit
  const cuts = separator === undefined ? spaceCuts(value, most, fromRight) : separatorCuts(value, plainText(separator), most, fromRight)
  return cuts.map(([start, end]) => sliceText(self, start, end))
}

function separatorCuts(value: string, separator: string, most: number, fromRight: boolean): [number, number][] {
  if (separator === '') throw valueError('empty separator')
  const parts: [number, number][] = []
  if (fromRight) {
    let end = value.length
    while (parts.length < most) {
      const at = end - separator.length < 0 ? -1 : value.lastIndexOf(separator, end - separator.length)
      if (at < 0) break
      parts.push([at + separator.length, end])
      end = at
    }
    parts.push([0, end])
    return parts.reverse()
  }
  let start = 0
  while (parts.length < most) {
    const at = value.indexOf(separator, start)
    if (at < 0) break
    parts.push([start, at])
    start = at + separator.length
  }
  parts.push([start, value.length])
  return parts
}

function spaceCuts(value: string, most: number, fromRight: boolean): [number, number][] {
  const words: [number, number][] = []
  if (fromRight) {
    let end = value.length
    for (;;) {
      while (end > 0 && isSpace(value.charCodeAt(end - 1))) end--
      if (end === 0) return words.reverse()
      let start = end
      if (words.length >= most) start = 0
      else while (start > 0 && !isSpace(value.charCodeAt(start - 1))) start--
      words.push([start, end])
      end = start
    }
  }
  let start = 0
  for (;;) {
    while (start < value.length && isSpace(value.charCodeAt(start))) start++
    if (start === value.length) return words
    let end = start
    if (words.length >= most) end = value.length
    else while (end < value.length && !isSpace(value.charCodeAt(end))) end++
    words.push([start, end])
    start = end
  }
}

// https://docs.python.org/3/library/stdtypes.html#str.splitlines
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

export function splitLines(self: Str, keepEnds = false): Str[] {
  const value = plainText(self)
  const lines: Str[] = []
  let start = 0
  for (const { index, 0: end } of value.matchAll(lineEnd)) {
    lines.push(sliceText(self, start, keepEnds ? index + end.length : index))
    start = index + end.length
  }
  if (start < value.length) lines.push(sliceText(self, start))
  return lines
}

/** Python's `replace`: an empty needle stands before every character and at the end. What is put in keeps its own origin. */
export function replaceStr(self: Str, needle: Str, replacement: Str, limit: number): Str {
  touchCharacters(plainText(self).length >> 2)
  const value = plainText(self)
  const old = plainText(needle)
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit
  if (typeof self === 'string' && typeof replacement === 'string' && old !== '' && most === Number.POSITIVE_INFINITY) {
    if (replacement.length > old.length) checkLength(value.length * Math.ceil(replacement.length / old.length))
    return value.replaceAll(old, () => replacement)
  }
  const parts: Str[] = []
  let last = 0
  let count = 0
  if (old === '') {
    const characters = charactersOf(self)
    checkLength(characters.length * (1 + plainText(replacement).length))
    for (const character of characters) {
      if (count++ < most) parts.push(replacement)
      parts.push(character)
    }
    if (count < most) parts.push(replacement)
    return joinTexts(parts)
  }
  for (let at = value.indexOf(old); at >= 0 && count < most; at = value.indexOf(old, last)) {
    parts.push(sliceText(self, last, at), replacement)
    last = at + old.length
    count++
  }
  if (count === 0) return self
  checkLength(value.length + count * plainText(replacement).length)
  parts.push(sliceText(self, last))
  return joinTexts(parts)
}

/** `str.title`: the first letter of every word is a capital; anything that is not a letter ends a word. */
export function titleCase(value: string): string {
  touchCharacters(value.length)
  let inWord = false
  let result = ''
  for (const character of value) {
    const cased = character.toLowerCase() !== character.toUpperCase()
    result += cased ? (inWord ? character.toLowerCase() : titleCharacter(character)) : character
    inWord = cased
  }
  return result
}

/** A character at the start of a word: `ǆ` has a form of its own there, and of `ß` only the first letter is a capital. */
export function titleCharacter(character: string): string {
  if (character === '') return ''
  const digraph = digraphs.find((forms) => forms.includes(character))
  if (digraph !== undefined) return digraph[1]!
  const upper = [...character.toUpperCase()]
  return upper.length < 2 ? upper.join('') : upper[0]! + upper.slice(1).join('').toLowerCase()
}

const digraphs = ['Ǆǅǆ', 'Ǉǈǉ', 'Ǌǋǌ', 'Ǳǲǳ']
