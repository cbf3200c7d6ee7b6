import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../../proof/testing/processor-timer.ts'
import { readHuggingFaceTokenizer } from './hugging-face-tokenizer.ts'

const embedded = JSON.parse(
  readFileSync(new URL('../../../../../rolecall/embedded-model/tokenizer.json', import.meta.url), 'utf8'),
) as object
const read = (changed: object) => readHuggingFaceTokenizer({ ...embedded, ...changed }, {}, 'hostile.json')
const encode = (changed: object, text: string) => read(changed).encodeRun(text, true, () => false).ids
const regex = (source: string) => ({ pattern: { Regex: source } })
const replace = (source: string, content: string) => ({ type: 'Replace', ...regex(source), content })

const split = (source: string, more: object = {}) => ({
  pre_tokenizer: { type: 'Split', ...regex(source), behavior: 'Isolated', invert: false, ...more },
})

describe('patterns that a backtracking engine never finishes take linear time', () => {
  const a = 'a'.repeat(40_000)
  const spaces = ' '.repeat(40_000)
  test.each([
    ['nested repetitions', split('(a+)+$'), `${a}!`],
    ['neighbouring repetitions', split(String.raw`\s*\s*\s*\s*y`), `${spaces}x`],
    ['neighbouring repetitions of classes that overlap', split(String.raw`[a-z]+\w+[^ ]+\S+!`), a],
    ['repeated alternatives', split('(a|a)*b'), a],
    ['a repetition that is tried at every position', split('a+b'), a],
    ['a far look', split(String.raw`\d{1,3}(?=(?:\d{3})*\b)`), '1'.repeat(40_000)],
    ['a far look behind', split('(?<=a+b*)c'), a],
    ['a normalizer', { normalizer: replace('(a+)+$', 'x') }, `${a}!`],
  ])('%s', (_, changed, text) => {
    const timer = processorTimer()
    encode(changed, text)
    expect(timer()).toBeLessThan(10_000)
  })
})

test('a pattern that takes the square of a text is stopped after a number of steps, and the next text is encoded', () => {
  const { encodeRun } = read(split('a+b|a'))
  const timer = processorTimer()
  expect(() => encodeRun('a'.repeat(400_000), true, () => false)).toThrow(
    'hostile.json: its patterns or tokens take too long on a text of 400000 characters (matching takes too many steps)',
  )
  expect(timer()).toBeLessThan(10_000)
  expect(encodeRun('aab', true, () => false).ids.length).toBeGreaterThan(0)
})

test('tokens of a Unigram model that begin alike are stopped after a number of steps, in little memory', () => {
  const vocab = [['<unk>', 0], ...Array.from({ length: 250 }, (_, index) => ['a'.repeat(index + 1), -1])]
  const { encodeRun } = read({ model: { type: 'Unigram', unk_id: 0, vocab } })
  const timer = processorTimer()
  const before = process.memoryUsage().rss
  expect(() => encodeRun('a'.repeat(100_000), true, () => false)).toThrow('its patterns or tokens take too long on a text of 100000')
  expect(timer()).toBeLessThan(10_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(300 << 20)
  expect(encodeRun('a'.repeat(1000), true, () => false).ids).toEqual([250, 250, 250, 250])
})

test('settings that have no bound are refused', () => {
  const doubling = { type: 'Sequence', normalizers: Array.from({ length: 40 }, () => replace('a', 'aa')) }
  expect(() => read({ normalizer: doubling })).toThrow('hostile.json: its normalizer can make a text more than 64 times as long')
  const metaspace = { type: 'Metaspace', replacement: '▁'.repeat(100), prepend_scheme: 'always' }
  expect(() => read({ pre_tokenizer: metaspace })).toThrow('its pre_tokenizer can make a text more than 64 times as long')
  expect(() => read({ normalizer: replace('(a+)+\\1', 'x') })).toThrow(/cannot be matched in linear time: it refers back to a group/)
  expect(() => read({ pre_tokenizer: { type: 'FixedLength', length: 0 } })).toThrow('has the length 0')
  const many = { type: 'Sequence', pretokenizers: Array.from({ length: 300 }, () => ({ type: 'WhitespaceSplit' })) }
  expect(() => read({ pre_tokenizer: many })).toThrow('more than 256 steps')
  const wordPiece = { type: 'WordPiece', vocab: { a: 0, '[UNK]': 1 }, unk_token: '[UNK]', max_input_chars_per_word: 1e6 }
  expect(() => read({ model: wordPiece })).toThrow('its max_input_chars_per_word is more than 256')
  const unigram = { type: 'Unigram', vocab: [['a'.repeat(1000), 0]], unk_id: 0 }
  expect(() => read({ model: unigram })).toThrow('a token of more than 256 characters')
})

test('a replacement is text: $ has no meaning in it, as in the model’s own tokenizer', () => {
  for (const pattern of [{ Regex: 'a' }, { String: 'a' }]) {
    const { encodeRun } = read({ normalizer: { type: 'Replace', pattern, content: "$'" } })
    expect(encodeRun('abc', true, () => false).ids).toEqual(read({ normalizer: null }).encodeRun("$'bc", true, () => false).ids)
  }
})
