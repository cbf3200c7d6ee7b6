import { PromptError } from '@rolecall/core/internal/errors'
import { type Retriever, tooMany } from './retriever.ts'

export const slidingWindowRetriever: Retriever = {
  name: 'SlidingWindowRetriever',
  does: 'The k rows before the row under test; for the first ones, filled up from the end.',
  options: ['k', 'ice_num'],
  example: { options: { k: 2 }, shows: [1, 2] },
  open({ texts, where }, { k, ice_num: count = 1 }) {
    const size = k ?? count
    if (size > texts.length) throw tooMany(where, size, texts.length, k === undefined ? 'ice_num' : 'k')
    return {
      count: size,
      choose({ number }) {
        if (number <= texts.length) return slidingWindow(number, size, texts.length)
        throw new PromptError('too-few-rows', {
          where,
          problem: `row ${number} is shown the ${size} before it, and there are ${texts.length} rows for examples`,
          fix: 'leave train_path and train_range out, so that the evaluated rows are the examples, or choose another retriever',
        })
      },
    }
  },
}

/** The k rows before this one; at the beginning, padded from the end. */
export function slidingWindow(number: number, count: number, total: number): number[] {
  const missing = Math.max(0, count - number)
  const fill = Array.from({ length: missing }, (_, index) => total - missing + index)
  return [...fill, ...Array.from({ length: count - missing }, (_, index) => number - (count - missing) + index)]
}
