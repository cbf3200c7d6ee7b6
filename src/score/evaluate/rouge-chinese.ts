import { z } from 'zod'
import { pyStr } from '../../python/index.ts'
import { commonLength } from './common-subsequence.ts'
import { defineEvaluator, type Figures } from './evaluator.ts'

type Overlap = { r: number; p: number; f: number }
export type ChineseRouge = { 'rouge-1': Overlap; 'rouge-2': Overlap; 'rouge-l': Overlap }

/** ROUGE of texts whose words are separated by spaces, as rouge_chinese gives it: distinct n-grams, and the longest common run. */
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

export const characterRouge = defineEvaluator({
  names: ['ChineseRougeEvaluator'],
  does: 'ROUGE-1, -2 and -L (F) of Chinese answers by characters. OpenCompass has JiebaRougeEvaluator, which needs a dictionary of words.',
  options: z.strictObject({}),
  with: () => ({
    metric: 'rouge1',
    unit: 'percent',
    needsReference: true,
    judge({ prediction, reference }) {
      const spaced = (text: string) => [...text.replace(/\s+/g, '')].join(' ')
      const scores = chineseRouge(spaced(pyStr(prediction)), spaced(pyStr(reference)))
      const keep = { rouge1: scores['rouge-1'].f, rouge2: scores['rouge-2'].f, rougeL: scores['rouge-l'].f }
      return { score: keep.rouge1, detail: { pred: prediction, answer: reference, ...keep }, keep }
    },
    interval: 'scores',
    summarise(kept: readonly Kept[]): Figures {
      const mean = (pick: (one: Kept) => number) => (100 * kept.reduce((sum, one) => sum + pick(one), 0)) / kept.length
      return { rouge1: mean((one) => one.rouge1), rouge2: mean((one) => one.rouge2), rougeL: mean((one) => one.rougeL) }
    },
  }),
})
