import { describe, expect, test } from 'vitest'
import { embeddedTokenizer } from '../../../../rolecall/src/node/models/load-embedded.ts'
import { compileChat } from '../compile/compile-chat.ts'
import { checkTokens, missingMarkers } from './check-tokens.ts'
import { tokenize } from './tokenize.ts'
import type { Tokenizer } from './tokenizer.ts'

const { format } = compileChat('internlm2')
const tokens = ['<unk>', '<s>', '</s>', '<|plugin|>', '<|interpreter|>', '<|action_end|>', '<|action_start|>', '<|im_end|>', '<|im_start|>']

/** A tokenizer with only these tokens. */
function withTokens(ids: Readonly<Record<string, number>>, size: number): Tokenizer {
  const addedTokens = Object.entries(ids).map(([content, id]) => ({ id, content, special: true, lstrip: false, rstrip: false }))
  return { ...embeddedTokenizer(), name: 'toy', size, addedTokens, idOf: (token) => ids[token] }
}

const documented = Object.fromEntries(tokens.map((token, index) => [token, index < 3 ? index : 92_535 + index]))

describe('the tokens that a format needs', () => {
  test('may have any id in a custom vocabulary, such as the shipped one', () => {
    const tokenizer = embeddedTokenizer()
    expect(tokenizer.size).toBe(1536)
    expect(() => checkTokens(format.tokens!, tokenizer)).not.toThrow()
  })

  test('have the documented ids in a vocabulary of 92,544 entries', () => {
    expect(() => checkTokens(format.tokens!, withTokens(documented, 92_544))).not.toThrow()
    const moved = { ...documented, '<|im_end|>': 92_543, '<|im_start|>': 92_542 }
    expect(() => checkTokens(format.tokens!, withTokens(moved, 92_544))).toThrow(
      'the token "<|im_start|>" has the id 92542 but should have 92543',
    )
    expect(() => checkTokens(format.tokens!, withTokens(moved, 92_550))).not.toThrow()
  })

  test('have the ids that the config declares, whatever the vocabulary', () => {
    const declared = compileChat({ format: 'internlm2', format_options: { token_ids: { '<|im_end|>': 92_542 } } }).format
    expect(() => checkTokens(declared.tokens!, embeddedTokenizer())).toThrow('has the id 7 but should have 92542')
    expect(() => checkTokens(declared.tokens!, withTokens(documented, 92_550))).not.toThrow()
  })

  test('that are missing are listed, with the nearest one', () => {
    const { '<|im_end|>': id, ...others } = documented
    const lacking = withTokens({ ...others, '<|im_endd|>': id! }, 1000)
    expect(() => checkTokens(format.tokens!, lacking)).toThrow('the format needs the token "<|im_end|>"')
    expect(() => checkTokens(format.tokens!, lacking)).toThrow('Did you mean "<|im_endd|>"?')
  })

  test('the error names its place: the tokenizer and the token', () => {
    const needed = [{ token: '<|im_end|>' }, { token: '</s>', id: 7 }]
    const { name: _, ...nameless } = { ...embeddedTokenizer(), addedTokens: [] }
    expect(() => checkTokens([...needed], { ...nameless, name: 'tokenizer.json' })).toThrow(
      /^tokenizer\.json › <\|im_end\|>: .*no special tokens/,
    )
    expect(() => checkTokens([...needed], nameless as never)).toThrow(/^the tokenizer › <\|im_end\|>: /)
  })

  test('are checked when a prompt is tokenised', () => {
    const prompt = compileChat('internlm2').render({ messages: [] })
    if (prompt.kind !== 'completion') throw new Error('not a completion')
    expect(() => tokenize(prompt, withTokens({ '<s>': 1 }, 10), { tokens: format.tokens })).toThrow('the format needs the token')
    expect(tokenize(prompt, embeddedTokenizer(), { tokens: format.tokens }).ids.slice(0, 2)).toEqual([1, 8])
  })
})

function tokenizerWith(...contents: string[]): Tokenizer {
  return {
    name: 'small',
    addedTokens: contents.map((content, id) => ({ id, content, special: true, lstrip: false, rstrip: false })),
    encodeRun: () => ({ ids: [], starts: [], ends: [], partial: new Set() }),
    idOf: () => undefined,
    tokenOf: () => undefined,
    bytesOf: () => new Uint8Array(),
    before: [],
    after: [],
  }
}

test('a marker that the tokenizer has gets no note', () => {
  expect(missingMarkers(['<|im_start|>user\n', '<|im_end|>\n'], tokenizerWith('<|im_start|>', '<|im_end|>'))).toEqual([])
})

test('a missing marker is noted once, with the nearest', () => {
  const notes = missingMarkers(['<|im_start|>user\n', '<|im_start|>system\n', '<|im_end|>\n'], tokenizerWith('<|im_strat|>'))
  expect(notes.map(({ text }) => text)).toEqual([
    'the format uses "<|im_start|>", which is not a special token of this tokenizer; it has "<|im_strat|>"',
    'the format uses "<|im_end|>", which is not a special token of this tokenizer',
  ])
})

test.for(['<｜User｜>', '<start_of_turn>', '[INST]', '</s>'])('%s is meant as a token', (marker) => {
  expect(missingMarkers([`${marker} `], tokenizerWith()).length).toBe(1)
})

test.for(['USER: ', '### Instruction:', '<b>', '[note]', 'a < b'])('%s is text', (marker) => {
  expect(missingMarkers([marker], tokenizerWith())).toEqual([])
})
