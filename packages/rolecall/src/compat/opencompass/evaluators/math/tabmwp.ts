import { dictGet, floatOf, intOf, isDict, isList, type PyValue, pyFloat, pyRound, pyStr, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { PythonRandom } from '../../../../python/library/random.ts'
import { findAll, search, substitute } from '../../../../python/regex/index.ts'

/** A normalized number, to three places; else the text without its unit. */
function normalized(answer: string, unit: string): string {
  const text = substitute(String.raw`[\,\.\,\/]$`, '', substitute(String.raw`^[\$]`, '', answer))
  if (!search(String.raw`^[-+]?[\d,./]+$`, text)) return unit === '' ? text : strip(text.replaceAll(unit, ''))
  const digits = text.replaceAll(',', '')
  const whole = search(String.raw`^[-+]?\d+$`, digits) ? intOf(digits) : undefined
  if (whole !== undefined) return String(whole)
  const [above, below] = digits.split('/').map((part) => floatOf(part))
  const number = digits.includes('/') ? (above ?? Number.NaN) / (below || Number.NaN) : (above ?? Number.NaN)
  // The reference fails on text that looks like a number but is not, such as 1.2.3.
  return Number.isFinite(number) ? substitute(String.raw`\.[0]+$`, '', pyStr(pyFloat(pyRound(number, 3)))) : text
}

/** Similarity of two texts: the words they share. */
function likeness(a: string, b: string): number {
  if (a === b) return 2
  if (!a.includes(' ') && !b.includes(' ')) return 0
  const [ours, theirs] = [a.split(' '), b.split(' ')]
  const common = new Set(ours.filter((word) => theirs.includes(word)))
  return common.size / Math.max(ours.length, theirs.length)
}

const letterPatterns = [
  String.raw`^\(([A-Za-z])\)$`,
  '^([A-Za-z])$',
  '^([A-Za-z]). ',
  '[Th]he answer is ([A-Z])',
  String.raw`^\(([A-Za-z])\) [\s\S]+$`,
  String.raw`[Th]he answer is \(([A-Za-z])\) [\s\S]+$`,
]

/** The option that an answer names by letter, else the most similar option. */
function option(text: string, options: readonly string[]): string {
  for (const pattern of letterPatterns) {
    const letter = search(pattern, text)?.[1]?.toUpperCase()
    const place = letter === undefined ? -1 : 'ABCDEFGH'.indexOf(letter)
    // A letter without an option selects a random option, with a fixed seed.
    if (place >= 0) return options[place] ?? options[new PythonRandom(123).below(options.length)]!
  }
  const scores = options.map((one) => likeness(one, text))
  return options[scores.indexOf(Math.max(...scores))]!
}

const numberPatterns = [
  String.raw`[Th]he answer is ([\s\S]+)$`,
  String.raw`[Th]he table shows that ([\d\$\.\,\/\:]+) `,
  String.raw` = ([\d\$\.\,\/\:]+)`,
  String.raw`(?<= be| is) ([\-\d\$\.\,\/\:]{0,}[\d]+)`,
  String.raw`(?<= are| was) ([\-\d\$\.\,\/\:]{0,}[\d]+)`,
  String.raw`(?<= were) ([\-\d\$\.\,\/\:]{0,}[\d]+)`,
  String.raw` ([\d\$\.\,\/\:]+ [AP]\.M\.)`,
  String.raw`([\-\d\$\.\,\/\:]{0,}[\d]+)`,
]

function extracted(answer: string, options: readonly string[]): string {
  let text = substitute(String.raw`\$?\\frac\{([\d\.\,\-]+)\}\{([\d\.\,]+)\}\$?`, (_, above, below) => `${above}/${below}`, answer)
  text = substitute(String.raw`(?<![AP]\.M)\.$`, '', text)
  text = substitute(String.raw`(?<=\d)[\=](?=[\-\$\d])`, ' = ', text).replaceAll('\u2212', '-')
  if (options.length > 0) return option(text, options)
  for (const pattern of numberPatterns) {
    const last = findAll(pattern, text).at(-1)
    if (last === undefined) continue
    const found = strip(last)
    return found.endsWith('.') && !found.includes('.M.') ? found.slice(0, -1) : found
  }
  return text
}

export const tabmwp = defineEvaluator({
  names: ['TabMWPEvaluator'],
  does: 'Right when the option or the number of the answer is that of the gold answer { answer, unit, choices }.',
  example: {
    answers: ['The answer is 5.', 'pear'],
    gold: [
      { answer: '5', unit: '', choices: null },
      { answer: 'apple', unit: '', choices: ['apple', 'pear'] },
    ],
    figures: { accuracy: 50 },
  },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const { answer, unit, choices } = goldOf(reference)
    const pred = normalized(extracted(answerText(prediction), choices), unit).toLowerCase()
    const right = normalized(answer, unit).toLowerCase()
    return verdict(pred === right, { pred, answer: right })
  },
})

function goldOf(reference: PyValue): { answer: string; unit: string; choices: string[] } {
  const column = (name: string) => (isDict(reference) ? dictGet(reference, name) : undefined)
  const [answer, unit, choices] = [column('answer'), column('unit'), column('choices')]
  if (typeof answer !== 'string') throw wrongGold('it has no answer', 'use rows as the loader of TabMWP gives them (test_elements)')
  return {
    answer,
    unit: typeof unit === 'string' ? unit : '',
    choices: choices !== undefined && isList(choices) ? choices.map((one) => pyStr(one)) : [],
  }
}
