import { splitSpace } from '@rolecall/core/internal/python'
import { commonPlaces } from '../../../../evaluation/score/evaluate/common-subsequence.ts'

type Overlap = { precision: number; recall: number; f: number }

/**
 * ROUGE-L of two texts as the package `rouge` computes it: sentences end at periods, and the distinct words count that any
 * sentence of the answer shares with any sentence of the gold answer. 0 if either text has no sentence.
 */
export function summaryRouge(prediction: string, reference: string): Overlap {
  const [said, right] = [sentencesOf(prediction), sentencesOf(reference)]
  if (said.length === 0 || right.length === 0) return { precision: 0, recall: 0, f: 0 }
  const common = new Set<string>()
  const distinct = [...new Map(said.map((sentence) => [sentence.join(' '), sentence])).values()]
  for (const theirs of right) {
    const words = new Set(theirs)
    for (const ours of distinct) {
      if (!ours.some((word) => words.has(word))) continue
      for (const place of commonPlaces(theirs, ours, 'without-b')) common.add(theirs[place]!)
    }
  }
  return overlapOf(common.size, new Set(said.flat()).size, new Set(right.flat()).size)
}

/** ROUGE-N of two texts as the package `rouge` computes it: the distinct n-grams that they share. */
export function summaryNgrams(prediction: string, reference: string, n: number): Overlap {
  const [said, right] = [ngramsOf(prediction, n), ngramsOf(reference, n)]
  return overlapOf([...said].filter((one) => right.has(one)).length, said.size, right.size)
}

function overlapOf(common: number, said: number, right: number): Overlap {
  const precision = said === 0 ? 0 : common / said
  const recall = right === 0 ? 0 : common / right
  return { precision, recall, f: 2 * ((precision * recall) / (precision + recall + 1e-8)) }
}

function ngramsOf(text: string, n: number): Set<string> {
  const words = sentencesOf(text).flat()
  return new Set(words.slice(n - 1).map((_, at) => words.slice(at, at + n).join(' ')))
}

function sentencesOf(text: string): string[][] {
  return text
    .split('.')
    .filter((sentence) => sentence !== '')
    .map((sentence) => splitSpace(sentence).join(' ').split(' '))
}
