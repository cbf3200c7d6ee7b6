import { Tokenizer as Library } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StepBudget } from '../../../base/pattern/index.ts'
import { isUnigram, unigramModel } from './unigram-model.ts'

type Encode = (words: string[]) => string[]

const library = (vocab: readonly (readonly [string, number])[], unk_id: number): Encode => {
  const model = { type: 'Unigram', vocab, unk_id }
  const json = { model, normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null, added_tokens: [] }
  return (new Library(json, {}) as unknown as { model: Encode }).model
}

const letters = fc.constantFrom('a', 'b', '▁', 'é', '中', '😀')
const piece = fc.array(letters, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
// Scores without rounding, so that sums of the same scores are equal in any order.
const score = fc.integer({ min: -80, max: 0 }).map((eighths) => eighths / 8)

test('words are split as by the library, for any tokens, scores and texts', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(piece, score), { selector: ([text]) => text, maxLength: 30 }),
      fc.array(
        fc.array(fc.oneof(letters, fc.constantFrom('x', '🎉')), { maxLength: 30 }).map((parts) => parts.join('')),
        { maxLength: 3 },
      ),
      (entries, words) => {
        const vocab = [['<unk>', 0] as const, ...entries]
        expect(unigramModel({ type: 'Unigram', vocab, unk_id: 0 }, [], new StepBudget())(words)).toEqual(library(vocab, 0)(words))
      },
    ),
    { numRuns: 300 },
  )
})

test('damaged tokens are refused: no text, no score, an unk_id that is none of them', () => {
  expect(() => isUnigram({ type: 'Unigram', vocab: [['a', '0']] })).toThrow('not a list of texts with their scores')
  expect(() => isUnigram({ type: 'Unigram', vocab: { a: 0 } })).toThrow('not a list of texts with their scores')
  expect(() => isUnigram({ type: 'Unigram', vocab: [['a', 0]], unk_id: 1 })).toThrow('unk_id')
  expect(isUnigram({ type: 'BPE', vocab: {} })).toBe(false)
})
