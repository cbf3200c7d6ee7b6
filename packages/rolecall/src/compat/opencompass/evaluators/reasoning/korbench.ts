import { PromptError } from '@rolecall/core/internal/errors'
import { compareCodePoints, dictGet, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, search, splitBy, substitute } from '../../../../python/regex/index.ts'
import { arithmeticValue } from '../math/evaluate-arithmetic.ts'

const nothing = 'NULL'

/** The content of the first [[…]], else of the first \boxed{…} between dollars, else of the first […]. */
function bracketed(text: string): string | undefined {
  for (const pattern of [String.raw`\[\[\s*(.*?)\s*\]\]`, String.raw`\$\\boxed\{(.*?)\}\$`, String.raw`\[\s*(.*?)\s*\]`]) {
    const found = search(pattern, text, { dotAll: true })
    if (found) return strip(found[1]!)
  }
  return undefined
}

/** The same without some characters, again in double brackets. */
function cleaned(text: string, removed: string): string {
  const found = bracketed(text)
  return found === undefined ? nothing : `[[${[...found].filter((character) => !removed.includes(character)).join('')}]]`
}

const clean = (text: string) => cleaned(text, '"\n []')
const logical = (text: string) => cleaned(text, '"\n .')
const inner = (text: string) => search(String.raw`\[\[(.*?)\]\]`, text, { dotAll: true })?.[1] ?? nothing
const sorted = (items: Iterable<string>) => [...items].sort(compareCodePoints).join('\u0000')
const letters = (text: string) => substitute('[^A-Za-z]', '', text).toLowerCase()
const wordCharacters = (text: string) => substitute(String.raw`\W+`, '', text)
const plainSigns = (text: string) => text.replaceAll('×', '*').replaceAll('−', '-')

type Compare = (said: string, gold: string) => boolean

/** Puzzles are compared by their rule. */
const puzzles: Readonly<Record<string, Compare>> = {
  1: (said, gold) => letters(said) === letters(gold),
  2: (said, gold) => gold.split(',').includes(letters(said)),
  3: (said, gold) => sorted(splitBy(String.raw`\W+`, said.toLowerCase()).filter((word) => word !== '')) === sorted(gold.split(' ')),
  4: (said, gold) => gold.includes(letters(said)),
  5: (said, gold) => sorted(substitute(String.raw`\s+`, '', said).split(',')) === sorted(gold.split(',')),
  9(said, gold) {
    const [ours, theirs] = [plainSigns(said), plainSigns(gold)]
    const operators = (text: string) => findAll(String.raw`[+\-*/]`, text.split('=')[0]!).join('')
    if (operators(ours) !== operators(theirs)) return false
    const result = search(String.raw`=\s*(-?\d+)`, theirs)?.[1]
    if (result === undefined) throw noResult()
    return arithmeticValue(ours.split('=')[0]!) === Number(result)
  },
  10(said, gold) {
    const ours = plainSigns(said).split('=')[0]!
    if (sorted(wordCharacters(ours)) !== sorted(wordCharacters(gold.split('\n')[0]!.split('=')[0]!))) return false
    return arithmeticValue(ours) === 24
  },
  18: (said, gold) => substitute(String.raw`[,\s\[\]]+`, '', said) === substitute(String.raw`[,\s\[\]]+`, '', gold),
}

function noResult(): PromptError {
  return new PromptError('wrong-gold', {
    where: 'the gold answer',
    problem: 'it has no "= number"',
    fix: 'use rows as the loader of KOR-Bench gives them',
  })
}

const numbersIn = (text: string) => findAll(String.raw`\d+`, text).map(Number).join()

/** The alternatives of "x or y", in any order. */
function ways(text: string): string {
  return sorted(
    strip(text, '[]')
      .split('or')
      .map((one) => strip(one)),
  )
}

function isRight(said: string, gold: string, category: string, rule: string): boolean {
  if (category === 'logic') {
    if (rule !== '5') return logical(said) === logical(gold)
    return sorted(logical(said).split(';')) === sorted(gold.split(';'))
  }
  if (category === 'operation') {
    if (rule === '18') return sorted(wordCharacters(clean(said))) === sorted(wordCharacters(inner(gold)))
    if (['23', '24', '25'].includes(rule)) return numbersIn(clean(said)) === numbersIn(gold)
    if (gold.includes('or')) {
      const text = substitute(String.raw`\\text\{or\}`, 'or', clean(said))
      return text !== nothing && ways(text) === ways(clean(gold))
    }
  }
  if (category === 'puzzle') {
    const compare = Object.hasOwn(puzzles, rule) ? puzzles[rule]! : (a: string, b: string) => wordCharacters(a) === wordCharacters(b)
    return compare(inner(said), inner(gold))
  }
  return clean(said) === gold
}

export const korBench = defineEvaluator({
  names: ['korbenchEvaluator'],
  ofNothing: { accuracy: 0 },
  does: 'Right when what stands in the first [[…]] of the answer is the gold answer, which has its own; how they are compared depends on `category` and `rule_id`.',
  example: {
    answers: ['So it is [[5]]', '[[6]]'],
    gold: ['[[5]]', '[[7]]'],
    rows: Array.from({ length: 2 }, () => ({ prompt_mode: '0_shot', category: 'operation', rule_id: '1' })),
    figures: { accuracy: 50 },
  },
  ...shareOf('accuracy'),
  judge({ prediction, reference, row }) {
    const [said, gold] = [answerText(prediction), pyStr(reference)]
    const column = (name: string) => pyStr(dictGet(row, name) ?? '')
    const mode = column('prompt_mode')
    if (['Multi-Q', 'Multi-R', 'Multi-RQ', 'mixed'].includes(mode)) throw mixed()
    const detail: Record<string, PyValue> = { pred: prediction, answer: reference }
    // The reference does not support any other prompt mode and counts these rows as wrong.
    if (mode !== '0_shot' && mode !== '3_shot') return { score: 0, detail: { ...detail, is_correct: false } }
    const category = column('category')
    const found = bracketed(said)
    const correct = isRight(said, gold, category, column('rule_id'))
    const real: Record<string, PyValue> = category === 'counterfactual' ? { real_life_answer: '', is_real_life: clean(said) === '' } : {}
    return verdict(correct, {
      ...detail,
      idx: 0,
      response: prediction,
      response_text: found === undefined ? nothing : `[[${found}]]`,
      is_correct: correct,
      ...real,
    })
  },
})

function mixed(): PromptError {
  return new PromptError('not-available', {
    where: 'the column "prompt_mode" of the row',
    problem: 'mixed questions are compared with the answers in other files of the dataset, which an evaluator does not read',
    fix: 'ask the questions of one category: prompt_mode 0_shot or 3_shot',
  })
}
