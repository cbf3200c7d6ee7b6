import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadVocabulary, vocabularyJson } from '../../../../../proof/cases/real-vocabularies.ts'
import { hasVocabularies, warnIfMissing } from '../../../../../proof/testing/on-demand.ts'
import { propertyRuns, someOf } from '../../../../../proof/testing/sampling.ts'
import { decodeTokens } from '../../../../core/src/prompt/tokenizer/token-decoder.ts'
import type { Tokenizer } from '../../../../core/src/prompt/tokenizer/tokenizer.ts'
import { loadTokenizer } from '../../node/models/load-tokenizer.ts'
import type { GgufMetadata, GgufValue } from './gguf-metadata.ts'
import { readGgufTokenizer } from './gguf-tokenizer.ts'

const model = (file: string) => fileURLToPath(new URL(`../../../embedded-model/${file}`, import.meta.url))
const words = [
  'hello',
  ' World',
  "don't",
  "I'LL",
  '  ',
  '\n\n',
  '\t',
  ' \n ',
  '3.14159',
  '1000000',
  'fooBarBAZ',
  '你好，世界',
  'こんにちは',
  '안녕',
  '😀',
  'x = [1]; //',
  '<|im_end|>',
  '<b>',
  'ﬁ',
  'e\u0301',
  '—',
  '\r\n',
  '   x',
]
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 10 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
)

function expectSame(ours: Tokenizer, theirs: Tokenizer, numRuns: number): void {
  const special = new Set(theirs.addedTokens.flatMap(({ id, special }) => (special ? [id] : [])))
  const isProtected = (id: number) => special.has(id)
  fc.assert(
    fc.property(text, (some) => {
      expect(ours.encodeRun(some, true, isProtected)).toEqual(theirs.encodeRun(some, true, isProtected))
    }),
    { numRuns: propertyRuns(numRuns) },
  )
}

test('the vocabulary in the tiny model’s GGUF gives the ids of its tokenizer.json', () => {
  const [ours, theirs] = [loadTokenizer(model('tiny-chat.q8_0.gguf')), loadTokenizer(model('tokenizer.json'))]
  expectSame(ours, theirs, 300)
  // The file defines <|im_end|> as the end of text.
  expect(ours).toMatchObject({ bos: 1, eos: 7, size: theirs.size })
  expect(ours.addedTokens.find(({ content }) => content === '<|im_end|>')).toMatchObject({ id: 7, special: true })
  const { ids } = ours.encodeRun('héllo 😀', true, () => false)
  expect(decodeTokens(ids, ours)).toBe('héllo 😀')
})

warnIfMissing(hasVocabularies, 'vocabularies of GGUF files', 'the vocabularies')

describe.skipIf(!hasVocabularies)(
  'real vocabularies in the layout of a GGUF file give the ids of their tokenizer.json (skipped where they are not installed)',
  () => {
    const vocabularies = [
      ['qwen3', 'qwen2'],
      ['deepseek_v3', 'deepseek-v3'],
      ['mistral_nemo', 'tekken'],
    ] as const
    for (const [name, pre] of someOf(vocabularies, 1)) {
      test(`${name} as "${pre}"`, () => {
        expectSame(readGgufTokenizer(asGguf(name, pre), name), loadVocabulary(name).tokenizer, 60)
      }, 60_000)
    }
  },
)

type Json = {
  model: { vocab: Record<string, number>; merges: (string | string[])[] }
  added_tokens: { id: number; content: string; special: boolean }[]
}

/** A tokenizer.json as llama.cpp's converter writes it. */
function asGguf(name: string, pre: string): GgufMetadata {
  const json = vocabularyJson(name).json as Json
  const tokens: string[] = []
  for (const [token, id] of Object.entries(json.model.vocab)) tokens[id] = token
  const types = tokens.map(() => 1)
  for (const { id, content, special } of json.added_tokens) {
    tokens[id] = content
    types[id] = special ? 3 : 4
  }
  for (let id = 0; id < tokens.length; id++) {
    tokens[id] ??= `[PAD${id}]`
    types[id] ??= 5
  }
  return new Map<string, GgufValue>([
    ['tokenizer.ggml.model', 'gpt2'],
    ['tokenizer.ggml.pre', pre],
    ['tokenizer.ggml.tokens', tokens],
    ['tokenizer.ggml.token_type', types],
    ['tokenizer.ggml.merges', json.model.merges.map((merge) => (typeof merge === 'string' ? merge : merge.join(' ')))],
  ])
}

describe('a sentencepiece vocabulary', () => {
  const tokens = ['<unk>', '<s>', '</s>', '<0x0A>', '▁', 'h', 'i', '▁hi', 'hi', '<end>']
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`).filter(
    (token) => token !== '<0x0A>',
  )
  const metadata = (more: [string, GgufValue][] = []): GgufMetadata =>
    new Map<string, GgufValue>([
      ['tokenizer.ggml.model', 'llama'],
      ['tokenizer.ggml.tokens', [...tokens, ...bytes]],
      ['tokenizer.ggml.scores', [...tokens.map((_, id) => -id), ...bytes.map(() => 0)]],
      ['tokenizer.ggml.token_type', [2, 3, 3, 6, 1, 1, 1, 1, 1, 4, ...bytes.map(() => 6)]],
      ['tokenizer.ggml.bos_token_id', 1],
      ['tokenizer.ggml.eos_token_id', 2],
      ...more,
    ])

  test('prepends a space, unless the file says otherwise', () => {
    const ids = (more?: [string, GgufValue][]) => readGgufTokenizer(metadata(more), 'm.gguf').encodeRun('hi', true, () => false).ids
    expect(ids()).toEqual([7])
    expect(ids([['tokenizer.ggml.add_space_prefix', false]])).toEqual([8])
  })

  test('encodes unknown characters as bytes, and adds BOS as the file says', () => {
    const tokenizer = readGgufTokenizer(metadata(), 'm.gguf')
    expect(tokenizer.encodeRun('\n', false, () => false).ids).toEqual([4, 3])
    expect(tokenizer).toMatchObject({ before: [1], bos: 1, eos: 2 })
    expect(readGgufTokenizer(metadata([['tokenizer.ggml.add_bos_token', false]]), 'm.gguf').before).toEqual([])
  })

  test('text from data never becomes its control tokens', () => {
    const tokenizer = readGgufTokenizer(metadata(), 'm.gguf')
    expect(tokenizer.encodeRun('</s><end>', true, (id) => id === 9).ids).not.toContain(9)
    expect(tokenizer.encodeRun('</s><end>', true, () => false).ids).not.toContain(2)
  })
})

test('an unknown vocabulary is an error with a fix', () => {
  const read = (entries: [string, GgufValue][]) => () => readGgufTokenizer(new Map(entries), 'm.gguf')
  const tokens: [string, GgufValue] = ['tokenizer.ggml.tokens', ['a']]
  expect(read([])).toThrow("m.gguf: the file's own tokenizer cannot be used: it carries no vocabulary")
  expect(read([tokens, ['tokenizer.ggml.model', 'rwkv']])).toThrow('of the kind "rwkv"')
  expect(read([tokens, ['tokenizer.ggml.model', 'gpt2'], ['tokenizer.ggml.pre', 'new']])).toThrow(/"new".*[Ss]et tokenizer_path/)
})
