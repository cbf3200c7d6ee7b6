import { strip } from '@rolecall/core/internal/python'
import { substitute } from '../../../python/regex/index.ts'
import { sequenceDistance } from '../../opencompass/evaluators/edit-distance.ts'

/**
 * The words to insert, delete or replace, as a share of those of the right texts: `wer` of Hugging Face's `evaluate`, which splits texts as
 * jiwer does, at spaces and at two or more white-space characters. NaN where the right texts have no words, and the reference fails.
 */
export function wordErrorRate(pairs: readonly (readonly [gold: string, reply: string])[]): number {
  const counts = pairs.map(([gold, reply]) => {
    const [right, given] = [wordsOf(gold), wordsOf(reply)]
    return { edits: sequenceDistance(right, given), words: right.length }
  })
  const words = sum(counts.map((one) => one.words))
  return words === 0 ? Number.NaN : sum(counts.map(({ edits }) => edits)) / words
}

function wordsOf(text: string): string[] {
  return strip(substitute(String.raw`\s\s+`, ' ', text))
    .split(' ')
    .filter((word) => word !== '')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
