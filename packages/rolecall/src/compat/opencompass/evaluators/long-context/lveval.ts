import { isList, type PyValue } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { meanOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { commonCount, overlapF1 } from '../../../../evaluation/score/evaluate/squad.ts'
import { chineseWords, cleanedWords } from './clean-chinese.ts'
import { englishWords, languages } from './longbench.ts'
import { summaryRouge } from './summary-rouge.ts'

/** Stop words: they count neither as keywords nor in ROUGE. */
const idleWords = {
  en: new Set(
    'and to of in her was with for it from is that his he by she they or at because be on are their what as had were about being this who but have has when which does'.split(
      ' ',
    ),
  ),
  zh: new Set(
    '的 和 是 等 在 年 可以 为 与 ‰ 了 或 一种 月 c 至 日 有 进行 于 不 中 × 根据 小 由 亩 也 要 指 法 会 元 主要 以及 通过 首先 对 然后 号 以 所 后 丁 包括 无 将 用 能 形 方面 因素 位于 而 从 到 一定 用于 但 使用 让 具有 并 亿元 万元 上 类 基于 才 来 地 片 其他 个 或者 变得 时 给 你 使 条 受 已经 带 度'.split(
      ' ',
    ),
  ),
}

/** The first gold answer counts; the last one is the keyword. */
function goldsOf(reference: PyValue): { gold: string; keyword: string } {
  const golds = isList(reference) ? reference : [...goldText(reference)]
  if (golds.length === 0) throw wrongGold('it is an empty list', 'give the gold answer, then its keyword')
  return { gold: goldText(golds[0]!), keyword: goldText(golds.at(-1)!) }
}

export const lvevalF1 = defineEvaluator({
  names: ['LVEvalF1Evaluator'],
  does: 'The words that the answer and the first gold answer have in common (F1), without punctuation and articles.',
  example: { answers: ['the red car'], gold: [['red car', 'red']], figures: { f1: 100 } },
  options: z.strictObject(languages),
  needsWords: ({ language }) => language === 'zh',
  with: ({ language }, words) => ({
    ...meanOf('f1'),
    judge({ prediction, reference }) {
      const wordsOf = language === 'en' ? englishWords : (text: string) => chineseWords(text, words)
      const score = overlapF1(wordsOf(answerText(prediction)), wordsOf(goldsOf(reference).gold))
      return { score, detail: { pred: prediction, answer: reference, score } }
    },
  }),
})

export const lvevalKeywordF1 = defineEvaluator({
  names: ['LVEvalOPTF1Evaluator'],
  does: 'As LVEvalF1Evaluator, but 0 where the answer has less than a fifth (in Chinese two fifths) of the words of the keyword, the last gold answer.',
  example: {
    answers: ['the red car', 'a car'],
    gold: [
      ['red car', 'red'],
      ['red car', 'red'],
    ],
    figures: { LVEval_f1: 50 },
  },
  options: z.strictObject(languages),
  needsWords: ({ language }) => language === 'zh',
  with: ({ language }, words) => ({
    ...meanOf('LVEval_f1'),
    judge({ prediction, reference }) {
      const wordsOf = language === 'en' ? englishWords : (text: string) => chineseWords(text, words)
      const { gold, keyword } = goldsOf(reference)
      const said = wordsOf(answerText(prediction))
      const needed = keyword === '' && language === 'zh' ? gold : keyword
      const hasKeyword = needed === '' || recall(said, wordsOf(needed), idleWords[language]) >= (language === 'en' ? 0.2 : 0.4)
      const score = hasKeyword ? overlapF1(said, wordsOf(gold)) : 0
      return { score, detail: { pred: prediction, answer: reference, score } }
    },
  }),
})

function recall(said: readonly string[], keyword: readonly string[], idle: ReadonlySet<string>): number {
  if (keyword.length === 0) throw wrongGold('its keyword has no word in it', 'give a keyword that is more than articles and punctuation')
  const wanted = keyword.filter((word) => !idle.has(word))
  return commonCount(said, wanted) / keyword.length
}

export const lvevalRouge = defineEvaluator({
  names: ['LVEvalOPTRougeEvaluator'],
  does: 'ROUGE-L (F) of the answer and the first gold answer, without punctuation, articles and words that say nothing.',
  example: { answers: ['the cat sat'], gold: [['the cat ran']], figures: { LVEval_rouge: 50 } },
  options: z.strictObject(languages),
  needsWords: ({ language }) => language === 'zh',
  with: ({ language }, words) => ({
    ...meanOf('LVEval_rouge'),
    judge({ prediction, reference }) {
      const wordsOf = language === 'en' ? englishWords : (text: string) => cleanedWords(text, words)
      const cleaned = (text: string) =>
        wordsOf(text)
          .filter((word) => !idleWords[language].has(word))
          .join(' ')
      const { f: score } = summaryRouge(cleaned(answerText(prediction)), cleaned(goldsOf(reference).gold))
      return { score, detail: { pred: prediction, answer: reference, score } }
    },
  }),
})
