import { Tokenizer as Library } from '@huggingface/tokenizers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bpeModel, isPlainBpe, type TokenModel } from './bpe-model.ts'

type Config = Parameters<typeof bpeModel>[0]

const added = [{ id: 90, content: 'b', special: true, lstrip: false, rstrip: false }]

function libraryModel(model: Config): TokenModel {
  const steps = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null }
  return (new Library({ ...steps, model: { ...model, type: 'BPE' }, added_tokens: added }, {}) as unknown as { model: TokenModel }).model
}

const alphabet = ['a', 'b', 'c', 'é', '😀']
const part = fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 3 }).map((letters) => letters.join(''))

test("words are merged as by the library's model, for any merges", () => {
  const config = fc.record({
    merges: fc.array(fc.tuple(part, part), { maxLength: 12 }),
    known: fc.array(part, { maxLength: 8 }),
    ignore_merges: fc.boolean(),
    byte_fallback: fc.boolean(),
    fuse_unk: fc.boolean(),
    hasBytes: fc.boolean(),
    isText: fc.boolean(),
  })
  const word = fc.array(fc.constantFrom(...alphabet, 'x'), { minLength: 1, maxLength: 30 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(config, fc.array(word, { maxLength: 4 }), ({ merges, known, hasBytes, isText, ...flags }, words) => {
      const bytes = hasBytes ? Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`) : []
      const texts = ['<unk>', 'a', 'c', ...merges.slice(3).map((pair) => pair.join('')), ...known, ...bytes]
      const vocab = Object.fromEntries(texts.map((text, id) => [text, id]))
      const model: Config = {
        type: 'BPE',
        vocab,
        merges: isText ? merges.map((pair) => pair.join(' ')) : merges,
        unk_token: '<unk>',
        ...flags,
      }
      expect(isPlainBpe(model)).toBe(true)
      const ours = bpeModel(model, added)
      const theirs = libraryModel(model)
      expect(ours(words)).toEqual(theirs(words))
      expect([...ours.tokens_to_ids]).toEqual([...theirs.tokens_to_ids])
    }),
  )
})

test('parts that share an id are different parts', () => {
  const model = { type: 'BPE', vocab: { a: 1, b: 1, c: 2, ac: 3 }, merges: ['a c'] }
  expect(bpeModel(model, [])(['ac', 'bc'])).toEqual(['ac', 'b', 'c'])
})

test('models with affixes for parts of words are left to the library', () => {
  expect(isPlainBpe({ type: 'BPE', vocab: {}, merges: [], end_of_word_suffix: '</w>' })).toBe(false)
  expect(isPlainBpe({ type: 'WordPiece', vocab: {} })).toBe(false)
})
