import { splitSpace } from '../../../../base/python/index.ts'
import { commonPlaces } from '../../../../evaluation/score/evaluate/common-subsequence.ts'

/**
 * ROUGE-L (F) of two texts as the package `rouge` computes it: sentences end at periods, and the distinct words count that any
 * sentence of the answer shares with any sentence of the gold answer. 0 if either text has no sentence.
 */
export function summaryRouge(prediction: string, reference: string): number {
  const [said, right] = [sentencesOf(prediction), sentencesOf(reference)]
  if (said.length === 0 || right.length === 0) return 0
  const common = new Set<string>()
  const distinct = [...new Map(said.map((sentence) => [sentence.join(' '), sentence])).values()]
  for (const theirs of right) {
    const words = new Set(theirs)
    for (const ours of distinct) {
      if (!ours.some((word) => words.has(word))) continue
      for (const place of commonPlaces(theirs, ours, 'without-b')) common.add(theirs[place]!)
    }
  }
  const precision = common.size / new Set(said.flat()).size
  const recall = common.size / new Set(right.flat()).size
  return (2 * (precision * recall)) / (precision + recall + 1e-8)
}

function sentencesOf(text: string): string[][] {
  return text
    .split('.')
    .filter((sentence) => sentence !== '')
    .map((sentence) => splitSpace(sentence).join(' ').split(' '))
}
