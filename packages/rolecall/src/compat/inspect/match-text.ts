import { casefold, floatOf, pyFloat, pyStr, splitSpace, strip } from '@rolecall/core/internal/python'

/** Where `match` looks for the target. */
type MatchPlace = 'begin' | 'end' | 'any' | 'exact'

export type MatchOptions = { location?: MatchPlace | undefined; ignore_case?: boolean | undefined; numeric?: boolean | undefined }

const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const spaces = ' \t\n\r\v\f'

/**
 * Inspect's `match`: the target at the end of the reply, or elsewhere; numbers are compared as numbers.
 * @example isMatch('It is **1,234.0**.', '1234', { numeric: true }) // => true
 */
export function isMatch(
  reply: string,
  target: string,
  { location = 'end', ignore_case: folds = true, numeric = false }: MatchOptions,
): boolean {
  const fold = (text: string) => (folds ? casefold(strip(text)) : strip(text))
  const [value, gold] = [fold(reply), fold(target)]
  const number = numeric ? numberIn(plainNumber(gold)) : undefined
  if (number !== undefined) return hasNumber(plainNumber(value), number, location)
  // A target that is no number loses its signs all the same.
  return compare(trimmed(value), trimmed(numeric ? plainNumber(gold) : gold), location)
}

function compare(value: string, target: string, location: MatchPlace): boolean {
  if (location === 'begin') return value.startsWith(target)
  if (location === 'end') return value.endsWith(target)
  return location === 'exact' ? value === target : value.includes(target)
}

function hasNumber(value: string, wanted: number, location: MatchPlace): boolean {
  const words = value.split(/\s+/u)
  const isWanted = (found: number | undefined) => found !== undefined && rounded(found) === rounded(wanted)
  if (location === 'exact') return isWanted(numberIn(value))
  const numbers = words.flatMap((word) => numberIn(word) ?? [])
  if (location === 'any') return numbers.some(isWanted)
  return isWanted(location === 'begin' ? numbers[0] : numbers.at(-1))
}

/** To five significant digits. */
function rounded(number: number): number {
  return Number(number.toPrecision(5))
}

const fractions = new Map([
  ...[...'½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒'].map(
    (character, index) =>
      [
        character,
        [1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4, 0.2, 0.4, 0.6, 0.8, 1 / 6, 5 / 6, 1 / 7, 1 / 8, 3 / 8, 5 / 8, 7 / 8, 1 / 9, 0.1][index]!,
      ] as const,
  ),
])

/** A finite number in Python's notation, also with a Unicode minus or a fraction such as 2½. Chinese numerals are not read. */
function numberIn(text: string): number | undefined {
  const [, sign, whole, fraction] = /^([-+]?)(\d*)([¼-¾⅐-⅞])$/u.exec(text.replace(/^[−－]/u, '-')) ?? []
  const part = fraction === undefined ? undefined : fractions.get(fraction)
  if (part !== undefined) return (sign === '-' ? -1 : 1) * (Number(whole) + part)
  const number = floatOf(text) ?? floatOf(text.replace(/^[−－]/u, '-'))
  return number !== undefined && Number.isFinite(number) ? number : undefined
}

/** Without the signs of currencies, of thousands and of formatting, and without full stops that are no decimal points. */
function plainNumber(text: string): string {
  return text
    .replace(/\\([$,£€*_])/g, '$1')
    .replace(/[$,£€*_]/g, '')
    .replace(/\.(?!\d)/g, '')
}

/** Without punctuation and spaces at both ends. */
function trimmed(text: string): string {
  const isEdge = (character: string) => punctuation.includes(character) || spaces.includes(character)
  let [from, to] = [0, text.length]
  while (from < to && isEdge(text[from]!)) from++
  while (to > from && isEdge(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** The text of `exact` and `f1`: words without case, articles and punctuation; numbers as floats. */
export function normalText(text: string, stopWords: readonly string[] = []): string {
  const stops = new Set(stopWords.map(normalWord))
  return text
    .split(/[ -]/)
    .map(normalWord)
    .filter((word) => !stops.has(word) && strip(word) !== '')
    .join(' ')
}

function normalWord(word: string): string {
  const bare = withoutPunctuation(casefold(word))
  const number = numberOf(bare)
  const text = number === undefined ? bare : pyStr(pyFloat(number))
  return splitSpace(text.replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')).join(' ')
}

function withoutPunctuation(text: string): string {
  if (numberOf(text) !== undefined) return text
  const inner = trimmed(text)
  return numberOf(inner) === undefined ? [...text].filter((character) => !punctuation.includes(character)).join('') : inner
}

function numberOf(text: string): number | undefined {
  const number = floatOf(text)
  return number !== undefined && Number.isFinite(number) ? number : undefined
}
