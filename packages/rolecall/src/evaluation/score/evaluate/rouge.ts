import { isList, pyStr } from '@rolecall/core/internal/python'
import { NumpyRandom } from '../../../python/library/random.ts'
import { commonLength, commonPlaces } from './common-subsequence.ts'
import { defineEvaluator, type Figures } from './evaluator.ts'
import { meanOf } from './shares.ts'

export const rougeTypes = ['rouge1', 'rouge2', 'rougeL', 'rougeLsum'] as const
export type RougeType = (typeof rougeTypes)[number]
export type Overlap = { precision: number; recall: number; f: number }

/** Lower-case runs of ASCII letters and digits; other scripts have no words here. */
export function rougeTokenize(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

/** ROUGE of one answer, as computed by google-research's rouge (rouge_score); `tokenize` may reduce words to their stems. */
export function rougeScore(prediction: string, reference: string, tokenize = rougeTokenize): Record<RougeType, Overlap> {
  const [said, right] = [tokenize(prediction), tokenize(reference)]
  const common = commonLength(right, said)
  return {
    rouge1: ngramOverlap(said, right, 1),
    rouge2: ngramOverlap(said, right, 2),
    rougeL: overlapOf(common, said.length, right.length),
    rougeLsum: summaryOverlap(sentencesOf(prediction, tokenize), sentencesOf(reference, tokenize)),
  }
}

function sentencesOf(text: string, tokenize: typeof rougeTokenize): string[][] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => tokenize(line))
}

function overlapOf(common: number, said: number, right: number): Overlap {
  if (said === 0 || right === 0) return { precision: 0, recall: 0, f: 0 }
  return withF(common / said, common / right)
}

function withF(precision: number, recall: number): Overlap {
  return { precision, recall, f: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0 }
}

function ngramOverlap(said: readonly string[], right: readonly string[], length: number): Overlap {
  const [ours, theirs] = [countNgrams(said, length), countNgrams(right, length)]
  let common = 0
  for (const [ngram, count] of theirs) common += Math.min(count, ours.get(ngram) ?? 0)
  const total = (words: readonly string[]) => Math.max(0, words.length - length + 1)
  return withF(common / Math.max(total(said), 1), common / Math.max(total(right), 1))
}

function countNgrams(words: readonly string[], length: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at + length <= words.length; at++) {
    const ngram = words.slice(at, at + length).join(' ')
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1)
  }
  return counts
}

/** The union of the common subsequences of each reference sentence with the sentences of the answer. */
function summaryOverlap(said: readonly string[][], right: readonly string[][]): Overlap {
  const [ours, theirs] = [countNgrams(said.flat(), 1), countNgrams(right.flat(), 1)]
  let hits = 0
  // A repeated sentence adds nothing.
  const distinct = [...new Map(said.map((sentence) => [sentence.join(' '), sentence])).values()]
  for (const sentence of right) {
    const places = new Set<number>()
    const placesOf = new Map<string, number[]>()
    for (const [place, word] of sentence.entries()) placesOf.set(word, [...(placesOf.get(word) ?? []), place])
    for (const one of distinct) {
      // Backtracking skips all words of the gold sentence that this one lacks, so they are filtered out first.
      const shared = [...new Set(one)].flatMap((word) => placesOf.get(word) ?? []).sort((a, b) => a - b)
      if (shared.length === 0) continue
      const found = commonPlaces(
        shared.map((place) => sentence[place]!),
        one,
      )
      for (const place of found) places.add(shared[place]!)
    }
    for (const place of [...places].sort((a, b) => a - b)) {
      const word = sentence[place]!
      const [left, leftThere] = [ours.get(word) ?? 0, theirs.get(word) ?? 0]
      if (left === 0 || leftThere === 0) continue
      hits++
      ours.set(word, left - 1)
      theirs.set(word, leftThere - 1)
    }
  }
  return overlapOf(hits, said.flat().length, right.flat().length)
}

const resamples = 1000

/** The median of the means of resampled rows, as Hugging Face's `evaluate` computes it with the numbers of numpy. */
export function bootstrapMedians(rows: readonly Record<RougeType, number>[], seed: number): Record<RougeType, number> {
  const random = new NumpyRandom(seed)
  const median = (values: Float64Array) => {
    const means = Float64Array.from({ length: resamples }, () => {
      let sum = 0
      for (const place of random.choice(values.length, values.length)) sum += values[place]!
      return sum / values.length
    }).sort()
    // As numpy interpolates halfway.
    const [low, high] = [means[resamples / 2 - 1]!, means[resamples / 2]!]
    return high - (high - low) / 2
  }
  return Object.fromEntries(rougeTypes.map((type) => [type, median(Float64Array.from(rows, (row) => row[type]))])) as Record<
    RougeType,
    number
  >
}

export const rouge = defineEvaluator({
  names: ['RougeEvaluator'],
  does: 'ROUGE-1, -2, -L and -Lsum (F) of English answers: the median of bootstrap means, as OpenCompass reports it.',
  example: { answers: ['the cat sat'], gold: ['the cat ran'], figures: { rouge1: 66.67 } },
  ...meanOf('rouge1'),
  judge({ prediction, reference }) {
    // The best of several gold answers counts, separately for each type.
    const scores = (isList(reference) ? reference : [reference]).map((one) => rougeScore(pyStr(prediction), pyStr(one)))
    const best = (type: RougeType) => Math.max(0, ...scores.map((one) => one[type].f))
    const keep = Object.fromEntries(rougeTypes.map((type) => [type, best(type)])) as Record<RougeType, number>
    return { score: keep.rouge1, detail: { pred: prediction, answer: reference, ...keep }, keep }
  },
  // The seed is that of OpenCompass.
  summarise: (kept: readonly Record<RougeType, number>[]): Figures =>
    Object.fromEntries(Object.entries(bootstrapMedians(kept, 0)).map(([type, median]) => [type, 100 * median])),
  beside: rougeTypes.filter((type) => type !== 'rouge1').map((metric) => ({ metric, unit: 'percent' })),
  interval: 'scores',
})
