import { codePointWidth, isSpace } from './strings.ts'

/** Python's `str.isupper()` of one character: `Ⓐ` is, `ǅ` (title case) is not. */
export function isUpper(character: string): boolean {
  return /^\p{Uppercase}$/u.test(character)
}

/** Digits that are not decimals: superscripts, circled and the like, which `int()` refuses. */
const digitsBesideDecimals =
  '\\xb2\\xb3\\xb9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}'

const allDigits = new RegExp(`^[\\p{Nd}${digitsBesideDecimals}]+$`, 'u')

/** Python's `str.isdigit()`: also of `²`; not of an empty text. */
export function isDigit(text: string): boolean {
  return allDigits.test(text)
}

/**
 * Python's `str.casefold()`.
 * @example casefold('STRAẞE') // => 'strasse'
 */
export function casefold(text: string): string {
  let folded = ''
  for (const character of text) folded += foldOne(character)
  return folded
}

function foldOne(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 0x80) return character.toLowerCase()
  if (character === 'ı') return character
  // Cherokee is the one script that folds to its capitals.
  if (code >= 0x13a0 && code <= 0x13f5) return character
  if (code >= 0x13f8 && code <= 0x13fd) return String.fromCodePoint(code - 8)
  if (code >= 0xab70 && code <= 0xabbf) return String.fromCodePoint(code - 0xab70 + 0x13a0)
  return character.toLowerCase().toUpperCase().toLowerCase()
}

/** Python's `str.capitalize()`. */
export function capitalize(text: string): string {
  const first = text.slice(0, codePointWidth(text, 0))
  // In lower case the form of a letter may depend on those before it (a final sigma).
  return first === '' ? '' : titleCharacter(first) + text.toLowerCase().slice(first.toLowerCase().length)
}

/** `str.title`: the first letter of every word is a capital; anything that is not a letter ends a word. */
export function titleCase(value: string): string {
  let inWord = false
  let result = ''
  for (const character of value) {
    const cased = character.toLowerCase() !== character.toUpperCase()
    result += cased ? (inWord ? character.toLowerCase() : titleCharacter(character)) : character
    inWord = cased
  }
  return result
}

/** A character in title case: `ǆ` has a separate form, of `ß` only the first letter is a capital, and Georgian has capitals only for whole words. */
function titleCharacter(character: string): string {
  const digraph = digraphs.find((forms) => forms.includes(character))
  if (digraph !== undefined) return digraph[1]!
  if (character === 'ŉ' || /[\u10d0-\u10ff]/.test(character)) return character === 'ŉ' ? 'ʼN' : character
  const upper = [...character.toUpperCase()]
  return upper.length < 2 ? upper.join('') : upper[0]! + upper.slice(1).join('').toLowerCase()
}

const digraphs = ['Ǆǅǆ', 'Ǉǈǉ', 'Ǌǋǌ', 'Ǳǲǳ']

/** Python's `str.swapcase()`. */
export function swapCase(part: string): string {
  const characters = [...part]
  // In lower case the form of a letter may depend on its neighbours (a final sigma).
  const lower = [...part.toLowerCase()]
  const lowerAt = (index: number) => (lower.length === characters.length ? lower[index]! : characters[index]!.toLowerCase())
  return characters
    .map((character, index) => {
      if (/\p{Lt}/u.test(character)) return character
      return character === character.toLowerCase() ? character.toUpperCase() : lowerAt(index)
    })
    .join('')
}

/** Ideographs that are numbers: `一`, `萬`. The last ones are compatibility forms. */
const numerals =
  '㐅㒃㠪㭍一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬貮貳贰阡陆陌陸零𠀁𠁤𠃢𠄡𠤪𠦃𠦌𠦜𠫪𠫽𠬙𢎐𢦘𣬛𦉭\\uf96b\\uf973\\uf978\\uf9b2\\uf9d1\\uf9d3\\uf9fd\\u{2f890}'

const every = (pattern: RegExp) => (value: string) => value !== '' && pattern.test(value)

/** The `is…` methods of Python's `str`. Categories come with the JavaScript engine's Unicode version. */
export const characterTests: Readonly<Record<string, (value: string) => boolean>> = {
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isalpha: every(/^\p{L}+$/u),
  isascii: (value) => !/[^\0-\x7f]/.test(value),
  isdecimal: every(/^\p{Nd}+$/u),
  isdigit: isDigit,
  isidentifier: every(/^[\p{ID_Start}_][\p{ID_Continue}]*$/u),
  isnumeric: every(new RegExp(`^[\\p{N}${numerals}]+$`, 'u')),
  isprintable: (value) => !/(?! )[\p{C}\p{Z}]/u.test(value),
  isspace: (value) => value !== '' && [...value].every((character) => character.length === 1 && isSpace(character.charCodeAt(0))),
  islower: (value) => /\p{Lowercase}/u.test(value) && !/[\p{Uppercase}\p{Lt}]/u.test(value),
  isupper: (value) => /\p{Uppercase}/u.test(value) && !/[\p{Lowercase}\p{Lt}]/u.test(value),
  istitle(value) {
    let inWord = false
    let any = false
    for (const character of value) {
      if (/[\p{Uppercase}\p{Lt}]/u.test(character)) {
        if (inWord) return false
        inWord = true
        any = true
      } else if (/\p{Lowercase}/u.test(character)) {
        if (!inWord) return false
        any = true
      } else inWord = false
    }
    return any
  },
}
