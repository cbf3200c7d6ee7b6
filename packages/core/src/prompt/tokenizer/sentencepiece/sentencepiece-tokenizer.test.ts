import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { EncodedRun } from '../tokenizer.ts'
import { readSentencePiece, type SentencePieceOptions } from './sentencepiece-tokenizer.ts'

const nothing = () => false

function stored(name: string, options?: SentencePieceOptions) {
  return readSentencePiece(readFileSync(new URL(`models/${name}.model`, import.meta.url)), name, options)
}

/** A model from its pieces: [text, type, score]. Its expected ids below are what sentencepiece 0.1.97 gives for the same pieces. */
function handMade(modelType: 'unigram' | 'bpe', pieces: [text: string, type?: number, score?: number][], normalizer: number[] = []) {
  const field = (tag: number, bytes: ArrayLike<number>) => [tag, bytes.length, ...Array.from(bytes)]
  const encoded = pieces.flatMap(([text, type = 1, score = 0]) => {
    const float = new Uint8Array(Float32Array.of(score).buffer)
    return field(0x0a, [...field(0x0a, new TextEncoder().encode(text)), 0x15, ...float, 0x18, type])
  })
  const trainer = field(0x12, [0x18, modelType === 'bpe' ? 2 : 1])
  return readSentencePiece(Uint8Array.from([...encoded, ...trainer, ...field(0x1a, normalizer)]), 'hand-made')
}

const reserved: [string, number][] = [
  ['<unk>', 2],
  ['<s>', 3],
  ['</s>', 3],
]

/** Each token with the text that it covers; ~ marks a part of a character. */
function shown(text: string, run: EncodedRun, tokenOf: (id: number) => string | undefined): string[] {
  return run.ids.map((id, index) => `${tokenOf(id)}:${text.slice(run.starts[index], run.ends[index])}${run.partial.has(index) ? '~' : ''}`)
}

describe('a model like that of Llama', () => {
  const tokenizer = stored('bpe-llama')
  const show = (text: string, isProtected: (id: number) => boolean = nothing) =>
    shown(text, tokenizer.encodeRun(text, true, isProtected), tokenizer.tokenOf)

  test('the first token covers the dummy space', () => {
    expect(show('the answer')).toEqual(['▁the:the', '▁answer: answer'])
    expect(show('你好')).toEqual(['▁:', '你好:你好'])
  })

  test('a character without a piece becomes bytes, each covering all of it', () => {
    expect(show('a🦀\n')).toEqual(['▁a:a', '<0xF0>:🦀~', '<0x9F>:🦀~', '<0xA6>:🦀~', '<0x80>:🦀~', '<0x0A>:\n'])
  })

  test('half of a surrogate pair is encoded as U+FFFD', () => {
    expect(show('a\ud83d')).toEqual(['▁a:a', '<0xEF>:\ud83d~', '<0xBF>:\ud83d~', '<0xBD>:\ud83d~'])
  })

  test('an empty text has no tokens', () => {
    expect(tokenizer.encodeRun('', true, nothing)).toEqual({ ids: [], starts: [], ends: [], partial: new Set() })
  })

  test('control pieces are added tokens that text never becomes', () => {
    expect(tokenizer.addedTokens.map(({ content, special }) => [content, special])).toEqual([
      ['<s>', true],
      ['</s>', true],
      ['<ctrl>', true],
      ['<mask>', true],
      ['<|im_start|>', false],
      ['<|im_end|>', false],
    ])
    expect(show('<s>').join(' ')).not.toContain('<s>:')
  })

  test('user-defined symbols are found in text unless they are protected', () => {
    const symbol = tokenizer.idOf('<|im_start|>')!
    expect(show('the<|im_start|>a')).toEqual(['▁the:the', '<|im_start|>:<|im_start|>', 'a:a'])
    const run = tokenizer.encodeRun('the<|im_start|>a', true, (id) => id === symbol)
    expect(run.ids).not.toContain(symbol)
    expect(run.ids.length).toBeGreaterThan(5)
  })

  test('a protected piece that text spells is split into smaller ones', () => {
    const answer = tokenizer.idOf('▁answer')!
    const pieces = show('the answers', (id) => id === answer)
    expect(pieces.map((piece) => piece.split(':')[0]).join('')).toBe('▁the▁answers')
    expect(pieces.some((piece) => piece.startsWith('▁answer:'))).toBe(false)
    expect(show('你', (id) => tokenizer.tokenOf(id) === '你')).toEqual(['▁:', '<0xE4>:你~', '<0xBD>:你~', '<0xA0>:你~'])
  })

  test('tokens by text and by id', () => {
    expect([tokenizer.idOf('<s>'), tokenizer.idOf('<0x00>'), tokenizer.idOf('no such piece')]).toEqual([1, 7, undefined])
    expect([tokenizer.tokenOf(2), tokenizer.tokenOf(-1), tokenizer.tokenOf(900)]).toEqual(['</s>', undefined, undefined])
  })
})

describe('options', () => {
  test('BOS precedes a text unless it is disabled or the model has none', () => {
    expect(stored('bpe-llama')).toMatchObject({ bos: 1, eos: 2, before: [1], after: [] })
    expect(stored('bpe-llama', { addBos: false })).toMatchObject({ bos: 1, before: [] })
    expect(stored('bpe-suffix')).toMatchObject({ before: [] })
    expect(stored('bpe-suffix')).not.toHaveProperty('bos')
  })

  test('every run gets a space before it, or only the first', () => {
    const every = stored('bpe-llama')
    const first = stored('bpe-llama', { prefixSpace: 'first-run' })
    const ids = (tokens: string[]) => tokens.map((token) => every.idOf(token))
    expect(every.encodeRun('the', false, nothing).ids).toEqual(ids(['▁the']))
    expect(first.encodeRun('the', true, nothing).ids).toEqual(ids(['▁the']))
    expect(first.encodeRun('the', false, nothing).ids).toEqual(ids(['th', 'e']))
  })

  test('if only the first run gets one, leading spaces of another run are kept as one', () => {
    const tokenizer = stored('unigram-bytes', { prefixSpace: 'first-run' })
    const run = (text: string, isFirst: boolean) =>
      shown(
        text,
        tokenizer.encodeRun(text, isFirst, (id) => id > 2 && id < 20),
        tokenizer.tokenOf,
      )
    expect(run('  the', true)).toEqual(['▁the:  the'])
    expect(run('  the', false)).toEqual(['▁the:  the'])
    expect(run('the', false)[0]).not.toContain('▁')
  })
})

test('a character that normalizes to several is covered by all of their tokens', () => {
  const tokenizer = stored('unigram-plain')
  const tokens = shown('½', tokenizer.encodeRun('½', true, nothing), tokenizer.tokenOf)
  expect(tokens.length).toBeGreaterThan(1)
  expect(tokens.every((token) => token.endsWith(':½~') || token.startsWith('▁:'))).toBe(true)
})

test('consecutive characters without a piece are one unknown token if there are no bytes', () => {
  const tokenizer = stored('unigram-plain')
  expect(shown('the 🦀🦑 a', tokenizer.encodeRun('the 🦀🦑 a', true, nothing), tokenizer.tokenOf)).toEqual([
    '▁the:the',
    '▁: ',
    '<unk>:🦀🦑',
    '▁: ',
    'a:a',
  ])
})

describe('models made by hand', () => {
  const ids = (tokenizer: ReturnType<typeof handMade>, ...texts: string[]) =>
    texts.map((text) => tokenizer.encodeRun(text, true, nothing).ids)

  test('an unused character stays, an unused longer piece is split', () => {
    const tokenizer = handMade('bpe', [...reserved, ['a', 5], ['b'], ['ab', 5]])
    expect(ids(tokenizer, 'a', 'ab', '▁a')).toEqual([
      [0, 3],
      [0, 3, 4],
      [0, 3],
    ])
  })

  test('the lengths of user-defined symbols count where scores are positive', () => {
    const tokenizer = handMade('unigram', [...reserved, ['a', 1, 3], ['b', 1, 2], ['ab', 1, 1], ['abb', 4, 1], ['▁', 1, 0.5]])
    expect(ids(tokenizer, 'a', 'ab', 'abb', 'abbabb')).toEqual([
      [7, 3],
      [7, 3, 4],
      [7, 6],
      [7, 6, 6],
    ])
  })

  test('spaces that are not escaped', () => {
    const tokenizer = handMade('bpe', [...reserved, ['a'], [' '], [' a'], ['▁']], [0x28, 0])
    expect(ids(tokenizer, 'a', 'a  a', '▁a')).toEqual([[5], [5, 5], [4, 6, 3]])
  })

  test('a merge may start from characters that are not pieces themselves', () => {
    const tokenizer = handMade('bpe', [...reserved, ['▁'], ['xy', 1, -1], ['xyz', 1, -2]])
    expect(ids(tokenizer, 'xyz', 'xy', 'x', 'zxy')).toEqual([
      [3, 5],
      [3, 4],
      [3, 0],
      [3, 0, 4],
    ])
  })

  test('a control piece of one character, where sentencepiece gives nothing at all, is unknown', () => {
    expect(ids(handMade('bpe', [...reserved, ['a', 3], ['b']]), 'ab')).toEqual([[0, 4]])
    expect(ids(handMade('unigram', [...reserved, ['a', 3], ['b']]), 'ab')).toEqual([[0, 4]])
  })
})
