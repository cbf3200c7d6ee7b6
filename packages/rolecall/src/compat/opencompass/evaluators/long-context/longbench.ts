import { dictGet, isDict, isList, type PyValue, pyRound, pyStr, splitSpace, stripStart } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { commonLength } from '../../../../evaluation/score/evaluate/common-subsequence.ts'
import { defineEvaluator } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldTexts, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, meanOf, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { normalizeSquad, overlapF1 } from '../../../../evaluation/score/evaluate/squad.ts'
import { findAll } from '../../../../python/regex/index.ts'
import type { SplitWords } from '../../../../python/word-split/word-tokenize.ts'
import { chineseWords } from './clean-chinese.ts'
import { summaryRouge } from './summary-rouge.ts'

export const languages = {
  language: z
    .enum(['en', 'zh'])
    .default('en')
    .describe("How words are found: by spaces, or by jieba's dictionary (`npm install jieba-wasm`)."),
}

export const longBenchF1 = defineEvaluator({
  names: ['LongBenchF1Evaluator'],
  does: 'The words that answer and gold answer have in common (F1), without punctuation and articles; of several gold answers the nearest counts.',
  example: { answers: ['the red car', 'a dog'], gold: [['red car'], ['cat']], figures: { score: 50 } },
  options: z.strictObject(languages),
  needsWords: ({ language }) => language === 'zh',
  with: ({ language }, words) => ({
    ...meanOf('score'),
    judge({ prediction, reference }) {
      const wordsOf = language === 'en' ? englishWords : (text: string) => chineseWords(text, words)
      const said = wordsOf(answerText(prediction))
      const score = Math.max(0, ...goldTexts(reference).map((gold) => overlapF1(said, wordsOf(gold))))
      return { score, detail: { pred: prediction, answer: reference, score } }
    },
  }),
})

export function englishWords(text: string): string[] {
  return splitSpace(normalizeSquad(text))
}

/** The share of an answer's numbers that equal this one. */
function shareOfNumbers(answer: string, wanted: string): number {
  const numbers = findAll(String.raw`\d+`, answer)
  return numbers.length === 0 ? 0 : count(numbers, (number) => number === wanted) / numbers.length
}

export const longBenchCount = defineEvaluator({
  names: ['LongBenchCountEvaluator'],
  does: 'The share of the numbers in the answer that are the gold one.',
  example: { answers: ['5, or 6', '7'], gold: [['5'], ['8']], figures: { score: 25 } },
  ...meanOf('score'),
  judge({ prediction, reference }) {
    const golds = isList(reference) ? reference : [reference]
    const score = sumOf(golds.map((gold) => shareOfNumbers(answerText(prediction), pyStr(gold))))
    return { score, detail: { pred: prediction, answer: reference, score } }
  },
})

export const longBenchRetrieval = defineEvaluator({
  names: ['LongBenchRetrievalEvaluator'],
  does: 'The share of the numbers in the answer that are that of the gold paragraph, "Paragraph 7" or "段落7".',
  example: { answers: ['Paragraph 7', '1'], gold: [['Paragraph 7'], ['Paragraph 2']], figures: { score: 50 } },
  options: z.strictObject(languages),
  with: ({ language }) => ({
    ...meanOf('score'),
    judge({ prediction, reference }) {
      const scores = goldTexts(reference).map((gold) => {
        const [paragraph] = findAll(language === 'en' ? String.raw`Paragraph (\d+)` : String.raw`段落(\d+)`, gold)
        if (paragraph === undefined) throw wrongGold('it names no paragraph', 'write "Paragraph 7", or "段落7" with language zh')
        return shareOfNumbers(answerText(prediction), paragraph)
      })
      const score = sumOf(scores)
      return { score, detail: { pred: prediction, answer: reference, score } }
    },
  }),
})

export const longBenchRouge = defineEvaluator({
  names: ['LongBenchRougeEvaluator'],
  does: 'ROUGE-L (F) by sentences and distinct words; of several gold answers the nearest counts.',
  example: { answers: ['the cat sat'], gold: [['the cat ran']], figures: { score: 66.67 } },
  options: z.strictObject(languages),
  needsWords: ({ language }) => language === 'zh',
  with: ({ language }, words) => ({
    ...meanOf('score'),
    judge({ prediction, reference }) {
      let said = answerText(prediction)
      let score = 0
      for (const gold of goldTexts(reference)) {
        // The reference splits its split result again for every further gold answer.
        if (language === 'zh') said = spaced(said, words)
        score = Math.max(score, summaryRouge(said, language === 'zh' ? spaced(gold, words) : gold).f)
      }
      return { score, detail: { pred: prediction, answer: reference, score } }
    },
  }),
})

function spaced(text: string, words: SplitWords): string {
  return words(text).join(' ')
}

/** Similarity of two texts in whole per cent: twice the matching length divided by the total length. */
function similarity(a: string, b: string): number {
  if (a === b) return 100
  if (a === '' || b === '') return 0
  const [left, right] = [[...a], [...b]]
  const all = left.length + right.length
  return pyRound(100 * (1 - (all - 2 * commonLength(left, right)) / all), 0)
}

export const longBenchCode = defineEvaluator({
  names: ['LongBenchCodeSimEvaluator'],
  does: 'How alike the first line of code of the answer and the gold line are; of several gold lines the nearest counts.',
  example: { answers: ['# sum\nreturn a + b'], gold: [['return a+b']], figures: { score: 91 } },
  ...meanOf('score'),
  judge({ prediction, reference }) {
    const lines = stripStart(answerText(prediction), '\n').split('\n')
    const code = lines.find((line) => !/`|#|\/\//.test(line)) ?? ''
    const score = Math.max(0, ...goldTexts(reference).map((gold) => similarity(code, gold) / 100))
    return { score, detail: { pred: code, answer: reference, score } }
  },
})

/** The classes that an answer names, excluding those that are part of the gold class's name. */
function namedClasses(answer: string, classes: readonly string[], gold: string): string[] {
  const named = classes.filter((one) => answer.includes(one))
  // The reference removes items from the list it iterates over, so it skips the item after each removed one.
  for (let at = 0; at < named.length; at++) {
    const term = named[at]!
    if (gold.includes(term) && term !== gold) named.splice(named.indexOf(term), 1)
  }
  return named
}

export const longBenchClasses = defineEvaluator({
  names: ['LongBenchClassificationEvaluator'],
  does: 'Right when the answer names the gold class, divided by how many it names; gold answers are { answers, all_classes }.',
  example: {
    answers: ['It is sport', 'sport or news'],
    gold: [
      { answers: ['sport'], all_classes: ['sport', 'news'] },
      { answers: ['news'], all_classes: ['sport', 'news'] },
    ],
    figures: { score: 75 },
  },
  ...meanOf('score'),
  judge({ prediction, reference }) {
    const { answers, classes } = classesOf(reference)
    const score = sumOf(
      answers.map((gold) => {
        const named = namedClasses(answerText(prediction), classes, gold)
        return named.includes(gold) ? 1 / named.length : 0
      }),
    )
    return { score, detail: { pred: prediction, answer: reference, score } }
  },
})

function classesOf(reference: PyValue): { answers: string[]; classes: string[] } {
  const answers = isDict(reference) ? dictGet(reference, 'answers') : undefined
  const classes = isDict(reference) ? dictGet(reference, 'all_classes') : undefined
  if (answers === undefined || classes === undefined || !isList(answers) || !isList(classes)) {
    throw wrongGold('it has no answers and all_classes', 'use rows as the loader of LongBench gives them')
  }
  return { answers: goldTexts(answers), classes: goldTexts(classes) }
}
