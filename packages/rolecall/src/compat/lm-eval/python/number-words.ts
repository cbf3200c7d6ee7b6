import { notUnderstood, PythonError, valueError } from '@rolecall/core/internal/python'
import { call } from '../../../python/interpreter/call.ts'
import { defineModule, native, textOf } from '../../../python/interpreter/modules/define-module.ts'
import { re } from '../../../python/interpreter/modules/re-module.ts'

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const scales = { billion: 1e9, million: 1e6, thousand: 1e3 } as const

const values: ReadonlyMap<string, number> = new Map([
  ...units.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, place) => [word, 10 * (place + 2)] as const),
  ['hundred', 100],
  ...Object.entries(scales),
])

/** A number in English words, as the package `word2number` reads it: unknown words are passed over. */
export function numberInWords(text: string): number {
  const plain = text.replaceAll('-', ' ').toLowerCase()
  if (/^\d+$/.test(plain)) return Number(plain)
  const words = plain
    .trim()
    .split(/\s+/)
    .filter((word) => values.has(word))
  if (words.length === 0) throw valueError('No valid number words found! Please enter a valid number word')
  const places = Object.keys(scales).map((scale) => words.indexOf(scale))
  if (Object.keys(scales).some((scale) => words.indexOf(scale) !== words.lastIndexOf(scale)))
    throw valueError('Redundant number word! Please enter a valid number word')
  const used = places.filter((place) => place >= 0)
  if (used.some((place, index) => index > 0 && place < used[index - 1]!))
    throw valueError('Malformed number! Please enter a valid number word')
  if (words.length === 1) return values.get(words[0]!)!
  let total = 0
  let from = 0
  for (const [index, scale] of Object.values(scales).entries()) {
    const place = places[index]!
    if (place < 0) continue
    total += belowThousand(words.slice(from, place)) * scale
    from = place + 1
  }
  // The package adds what follows the smallest scale that something follows: "million five thousand" counts its five thousand again, as 1005.
  const before = used.findLast((place) => place + 1 < words.length)
  return before === undefined && used.length > 0 ? total : total + belowThousand(words.slice((before ?? -1) + 1))
}

/** `two hundred forty one`; of more than four words only the first counts. */
function belowThousand(words: readonly string[]): number {
  const [first, second = 0, third = 0, fourth = 0] = words.map((word) => values.get(word)!)
  if (first === undefined) throw new PythonError('IndexError', 'list index out of range')
  if (words.length === 1 || words.length > 4) return first
  if (words.length === 2) return first === 100 || second === 100 ? first * second : first + second
  return first * second + third + fourth
}

const w2n = defineModule('word2number.w2n', {
  word_to_num: native('word_to_num(number_sentence)', (_, [text]) => numberInWords(textOf(text))),
})

/** `(?|…)` without groups in it, a pattern that only the package `regex` has, groups like `(?:…)`. */
const branchReset = /\(\?\|(?=[^()]*\))/g

const regex = defineModule('regex', {
  compile: native('compile(pattern, flags=0)', (session, [pattern, flags = 0], _, scope) => {
    const text = textOf(pattern).replace(branchReset, '(?:')
    if (/\(\?\||[+*?]\+|\(\?R\)|\\p\{/.test(text)) throw notUnderstood(session.at, 'this pattern of the package regex', 'use re')
    return call(session, re.attributes.get('compile')!, [text, flags], undefined, scope)
  }),
})

/** What tasks use to find numbers that are written as words. */
export const numberWords = [regex, w2n, defineModule('word2number', { w2n })]
