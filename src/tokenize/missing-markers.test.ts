import { expect, test } from 'vitest'
import { missingMarkers } from './missing-markers.ts'
import type { Tokenizer } from './tokenizer.ts'

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

test('a marker that the tokenizer has is no news', () => {
  expect(missingMarkers(['<|im_start|>user\n', '<|im_end|>\n'], tokenizerWith('<|im_start|>', '<|im_end|>'))).toEqual([])
})

test('one that it does not have is named once, with the nearest', () => {
  const notes = missingMarkers(['<|im_start|>user\n', '<|im_start|>system\n', '<|im_end|>\n'], tokenizerWith('<|im_strat|>'))
  expect(notes.map(({ text }) => text)).toEqual([
    'the format uses "<|im_start|>", which is no special token of this tokenizer; it has "<|im_strat|>"',
    'the format uses "<|im_end|>", which is no special token of this tokenizer',
  ])
})

test.for(['<｜User｜>', '<start_of_turn>', '[INST]', '</s>'])('%s is meant as a token', (marker) => {
  expect(missingMarkers([`${marker} `], tokenizerWith()).length).toBe(1)
})

test.for(['USER: ', '### Instruction:', '<b>', '[note]', 'a < b'])('%s is text', (marker) => {
  expect(missingMarkers([marker], tokenizerWith())).toEqual([])
})
