import { pyStr, strip } from '@rolecall/core/internal/python'
import { commonLength } from '../../../evaluation/score/evaluate/common-subsequence.ts'
import { defineEvaluator, type Evaluator, type Figures } from '../../../evaluation/score/evaluate/evaluator.ts'
import { meanOf } from '../../../evaluation/score/evaluate/shares.ts'
import { generalPostprocess } from '../../../evaluation/score/postprocess/general.ts'
import { noOptions } from '../../../evaluation/score/register-by-name.ts'

type Overlap = { r: number; p: number; f: number }
export type ChineseRouge = { 'rouge-1': Overlap; 'rouge-2': Overlap; 'rouge-l': Overlap }

/** ROUGE of texts with space-separated words, as rouge_chinese computes it: distinct n-grams, and the longest common subsequence. */
export function chineseRouge(prediction: string, reference: string): ChineseRouge {
  const [said, right] = [prediction.split(' '), reference.split(' ')]
  const distinct = (length: number) => {
    const [ours, theirs] = [ngrams(said, length), ngrams(right, length)]
    return overlap([...ours].filter((ngram) => theirs.has(ngram)).length, ours.size, theirs.size)
  }
  return { 'rouge-1': distinct(1), 'rouge-2': distinct(2), 'rouge-l': overlap(commonLength(right, said), said.length, right.length) }
}

function ngrams(words: readonly string[], length: number): Set<string> {
  return new Set(words.slice(0, Math.max(0, words.length - length + 1)).map((_, at) => words.slice(at, at + length).join(' ')))
}

function overlap(common: number, said: number, right: number): Overlap {
  const [p, r] = [said === 0 ? 0 : common / said, right === 0 ? 0 : common / right]
  return { r, p, f: 2 * ((p * r) / (p + r + 1e-8)) }
}

type Kept = { rouge1: number; rouge2: number; rougeL: number }

/** ROUGE of answers that this function splits into words. */
function rougeBy(spaced: (text: string, side: 'answer' | 'gold') => string): Evaluator<Kept> {
  return {
    ...meanOf('rouge1'),
    judge({ prediction, reference }) {
      const scores = chineseRouge(spaced(pyStr(prediction), 'answer'), spaced(pyStr(reference), 'gold'))
      const keep = { rouge1: scores['rouge-1'].f, rouge2: scores['rouge-2'].f, rougeL: scores['rouge-l'].f }
      return { score: keep.rouge1, detail: { pred: prediction, answer: reference, ...keep }, keep }
    },
    interval: 'scores',
    beside: ['rouge2', 'rougeL'].map((metric) => ({ metric, unit: 'percent' })),
    summarise(kept: readonly Kept[]): Figures {
      const mean = (pick: (one: Kept) => number) => (100 * kept.reduce((sum, one) => sum + pick(one), 0)) / kept.length
      return { rouge1: mean((one) => one.rouge1), rouge2: mean((one) => one.rouge2), rougeL: mean((one) => one.rougeL) }
    },
  }
}

export const jiebaRouge = defineEvaluator({
  names: ['JiebaRougeEvaluator'],
  does: "ROUGE-1, -2 and -L (F) of Chinese answers by words, up to the first newline, period or comma; words by jieba's dictionary (`npm install jieba-wasm`).",
  example: { answers: ['今天天气很好'], gold: ['今天天气不错'], figures: { rouge1: 40 } },
  options: noOptions,
  needsWords: true,
  with: (_, words) =>
    rougeBy((text, side) => {
      const found = words(generalPostprocess(text)).filter((word) => strip(word) !== '')
      // Two texts without words have nothing in common.
      return found.length === 0 ? `(no-${side})` : found.join(' ')
    }),
})

export const characterRouge = defineEvaluator({
  names: ['ChineseRougeEvaluator'],
  does: 'ROUGE-1, -2 and -L (F) of Chinese answers by characters, for which no dictionary is needed.',
  example: { answers: ['今天天气好'], gold: ['今天天气很好'], figures: { rouge1: 88.89 } },
  ...rougeBy((text) => [...text.replace(/\s+/g, '')].join(' ')),
})
