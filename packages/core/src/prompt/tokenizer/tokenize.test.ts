import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { control, type Piece, plain } from '../../base/text/index.ts'
import type { Prompt } from '../format/format.ts'
import { stopIds } from './check-tokens.ts'
import { tokenCounter } from './count-tokens.ts'
import { readHuggingFaceTokenizer } from './hugging-face/hugging-face-tokenizer.ts'
import { RunMemo } from './run-memo.ts'
import { tokenize } from './tokenize.ts'

const format = { by: 'format', path: 'begin' } as const
const field = { by: 'field', path: 'q' } as const

function promptOf(pieces: Piece[], bos: 'in-prompt' | 'tokenizer' | 'none' = 'none'): Prompt & { kind: 'completion' } {
  return { kind: 'completion', pieces, bos, stop: [], notes: [] }
}

const shipped = JSON.parse(readFileSync(new URL('../../../../rolecall/embedded-model/tokenizer.json', import.meta.url), 'utf8')) as object
const tiny = readHuggingFaceTokenizer(shipped, { bos_token: '<s>', eos_token: '</s>' }, 'tiny')

/** A vocabulary of single characters and a few merges, with the settings under test. */
function smallTokenizer(settings: {
  added?: object[]
  normalizer?: object
  pre_tokenizer?: object
  post_processor?: object
  config?: object
  byteTokens?: boolean
}) {
  const characters = ['<unk>', ...'▁abcdefgsxyz <>/\n\té', 'ab', '<s', '<s>', ...(settings.byteTokens ? ['<0x61>'] : [])]
  const json = {
    added_tokens: settings.added ?? [],
    normalizer: settings.normalizer ?? null,
    pre_tokenizer: settings.pre_tokenizer ?? null,
    post_processor: settings.post_processor ?? null,
    decoder: null,
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      byte_fallback: settings.byteTokens === true,
      vocab: Object.fromEntries(characters.map((token, id) => [token, id])),
      merges: ['a b', '< s', '<s >'],
    },
  }
  return readHuggingFaceTokenizer(json, settings.config ?? {}, 'small')
}

const texts = (pieces: Piece[], tokenizer = tiny, bos: 'in-prompt' | 'tokenizer' | 'none' = 'none') =>
  tokenize(promptOf(pieces, bos), tokenizer).ids.map((id) => tokenizer.tokenOf(id))

describe('control tokens', () => {
  test("are recognised in the format's text, across the border of two of its pieces", () => {
    expect(texts([control('<|im_', format), control('end|>', format)])).toEqual(['<|im_end|>'])
  })

  test('are not recognised in text from data, nor across the border to it', () => {
    expect(texts([plain('<|im_end|>', field)])).not.toContain('<|im_end|>')
    expect(texts([control('<|im_', format), plain('end|>', field)])).not.toContain('<|im_end|>')
    expect(texts([control('<|im_', format), plain('', field), control('end|>', format)])).toEqual(['<|im_end|>'])
  })

  test('given as ids stay ids, and split the runs around them', () => {
    const { ids, tokens } = tokenize(promptOf([plain('ab', field), { ids: [7, 8], source: format }, plain('cd', field)]), tiny)
    expect(ids.slice(ids.indexOf(7), ids.indexOf(7) + 2)).toEqual([7, 8])
    expect(tokens.find(({ id }) => id === 7)?.span).toEqual([2, 2])
  })

  test('of one character become bytes if the vocabulary has them, else unknown', () => {
    const added = [{ id: 2, content: 'a', special: true }]
    const pieces = [control('a', format), plain('xaa', field)]
    expect(texts(pieces, smallTokenizer({ added }))).toEqual(['a', 'x', '<unk>', '<unk>'])
    const withBytes = smallTokenizer({ added, byteTokens: true })
    expect(texts(pieces, withBytes)).toEqual(['a', 'x', '<0x61>', '<0x61>'])
    const { tokens } = tokenize(promptOf(pieces), withBytes)
    expect(tokens.map(({ span }) => span)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ])
    const twice = [...added, { id: 24, content: 'ab', special: true }]
    expect(texts([plain('ab', field)], smallTokenizer({ added: twice, byteTokens: true }))).toEqual(['<0x61>', 'b'])
  })

  test('that merges spell from plain text are split again', () => {
    const tokenizer = smallTokenizer({ config: { bos_token: '<s>' } })
    expect(texts([control('<s>', format), plain('a<s>b', field)], tokenizer)).toEqual(['<s>', 'a', '<', 's', '>', 'b'])
  })
})

describe('a run is encoded as one, whatever the origins of its parts', () => {
  test('merges cross the border of template and field', () => {
    const tokenizer = smallTokenizer({})
    expect(texts([plain('a', { by: 'template', path: 't' }), plain('b', field)], tokenizer)).toEqual(['ab'])
  })

  test('a token that covers two pieces names both', () => {
    const { tokens } = tokenize(promptOf([plain('a', { by: 'template', path: 't' }), plain('b', field)]), smallTokenizer({}))
    expect(tokens[0]).toEqual({ id: expect.any(Number), span: [0, 2], pieces: [0, 1] })
  })

  test('tokens that hold part of a character share its span', () => {
    const { tokens } = tokenize(promptOf([plain('😀', field)]), tiny)
    expect(tokens.length).toBeGreaterThan(1)
    expect(tokens.every(({ span, partial }) => partial === true && span[0] === 0 && span[1] === 2)).toBe(true)
  })
})

describe('the text before a run decides about its prefix space', () => {
  const marker = { id: 90, content: '<m>', special: true, lstrip: false, rstrip: false, normalized: false, single_word: false }

  test('Metaspace "first" adds one only at the very start', () => {
    const tokenizer = smallTokenizer({
      added: [marker],
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: false },
    })
    expect(texts([plain('ab', field)], tokenizer)).toEqual(['▁', 'ab'])
    expect(texts([control('<m>', format), plain('ab', field)], tokenizer)).toEqual(['<m>', 'ab'])
  })

  test('a normaliser that prepends does so after every token', () => {
    const tokenizer = smallTokenizer({ added: [marker], normalizer: { type: 'Prepend', prepend: '▁' } })
    expect(texts([control('<m>', format), plain('ab', field), control('<m>', format), plain('ab', field)], tokenizer)).toEqual([
      '<m>',
      '▁',
      'ab',
      '<m>',
      '▁',
      'ab',
    ])
  })

  test('lstrip and rstrip tokens take adjacent spaces', () => {
    const tokenizer = smallTokenizer({ added: [{ ...marker, lstrip: true, rstrip: true }] })
    expect(texts([plain('a  ', field), control('<m>', format), plain(' \nb', field)], tokenizer)).toEqual(['a', '<m>', 'b'])
  })

  test('ordinary added tokens are found in data, longest first', () => {
    const lines = ['\n', '\n\n'].map((content, index) => ({ ...marker, id: 91 + index, content, special: false }))
    const tokenizer = smallTokenizer({ added: [marker, ...lines] })
    expect(tokenize(promptOf([control('<m>\n', format), plain('\n\na', field)]), tokenizer).ids.slice(0, 3)).toEqual([90, 92, 91])
  })
})

describe('BOS has one owner', () => {
  const post = {
    type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
    pair: [],
    special_tokens: {},
  }
  const tokenizer = smallTokenizer({ post_processor: post, config: { bos_token: '<s>' } })

  test('the tokenizer adds it', () => expect(texts([plain('a', field)], tokenizer, 'tokenizer')).toEqual(['<s>', 'a']))

  test('a prompt that starts with it does not get it twice, with a note', () => {
    const { ids, notes } = tokenize(promptOf([control('<s>', format), plain('a', field)], 'tokenizer'), tokenizer)
    expect(ids.length).toBe(2)
    expect(notes.map(({ code }) => code)).toEqual(['bos-in-prompt'])
  })

  test('a text that needs a first token gets BOS, else EOS, where the tokenizer writes nothing', () => {
    const prefixed = (used: typeof tokenizer) =>
      tokenize({ ...promptOf([plain('a', field)], 'tokenizer'), needsPrefix: true }, used).ids.map((id) => used.tokenOf(id))
    expect(prefixed(tokenizer)).toEqual(['<s>', 'a'])
    expect(prefixed(smallTokenizer({ config: { bos_token: '<s>', eos_token: '<unk>' } }))).toEqual(['<s>', 'a'])
    expect(prefixed(smallTokenizer({ config: { eos_token: '<s>' } }))).toEqual(['<s>', 'a'])
    expect(prefixed(smallTokenizer({}))).toEqual(['a'])
  })

  test('twice is refused', () => {
    expect(() => texts([control('<s><s>', format)], tokenizer, 'in-prompt')).toThrow(PromptError)
  })

  test('missing although the format should write it is refused', () => {
    expect(() => texts([plain('a', field)], tokenizer, 'in-prompt')).toThrow('Write it in the format')
  })

  test('look-alikes in data do not count', () => {
    expect(texts([plain('<s>', field)], tokenizer, 'tokenizer')[0]).toBe('<s>')
    expect(texts([plain('<s>', field)], tokenizer, 'tokenizer').slice(1)).not.toContain('<s>')
  })
})

describe('in addition to the ids', () => {
  test('a counter counts the tokens that would be sent', () => {
    const prompt = promptOf([control('<|im_start|>', format), plain('hello', field)])
    expect(tokenCounter(tiny)(prompt)).toBe(tokenize(prompt, tiny).ids.length)
    expect(
      tokenCounter(tiny)({ kind: 'chat', messages: [{ role: 'user', content: [plain('hi', field)] }], stop: [], notes: [] }),
    ).toBeGreaterThan(3)
  })

  test('stops that are tokens become ids; an unknown one is an error with the nearest', () => {
    const stop = (token: string) =>
      stopIds(
        [
          { token, source: format },
          { id: 7, source: format },
          { text: 'x', source: format },
        ],
        tiny,
      )
    expect(stop('<|im_end|>')).toEqual([7])
    expect(() => stop('<|im_ned|>')).toThrow('Did you mean "<|im_end|>"?')
  })

  test('the memo gives the same ids and stays within its bound', () => {
    const memo = new RunMemo(100)
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 50; index++) {
        const prompt = promptOf([control('<|im_start|>', format), plain(`row ${index} of many`, field)])
        expect(tokenize(prompt, tiny, { memo })).toEqual(tokenize(prompt, tiny))
      }
    }
  })

  test('an invalid tokenizer file is refused with the reason', () => {
    expect(() => readHuggingFaceTokenizer({ version: 1 }, {}, 'x.json')).toThrow('it has no model')
    expect(() => readHuggingFaceTokenizer({ model: { type: 'Nothing' } }, {}, 'x.json')).toThrow('cannot be read')
    expect(() => readHuggingFaceTokenizer(null, {}, 'x.json')).toThrow(PromptError)
  })
})
