import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plain } from '../../../../core/src/base/text/index.ts'
import { alignTokens, tokensAt } from './align-tokens.ts'

test('tokens are found by their texts, whatever units the server counts in', () => {
  expect(alignTokens(['👍', ' a', 'b'], '👍 ab')).toEqual([
    [0, 2],
    [2, 4],
    [4, 5],
  ])
})

test('an added BOS covers nothing; one in the text covers itself', () => {
  expect(alignTokens(['<s>', 'a'], 'a')).toEqual([
    [0, 0],
    [0, 1],
  ])
  expect(alignTokens(['<s>', 'a'], '<s>a')).toEqual([
    [0, 3],
    [3, 4],
  ])
  expect(alignTokens(['<s>', '<s>', 'a'], '<s>a')).toEqual([
    [0, 0],
    [0, 3],
    [3, 4],
  ])
  expect(alignTokens(['<s>', '<s>', 'a'], 'a')).toBeUndefined()
})

test('a token may have lost the space before it', () => {
  expect(alignTokens(['<s>', 'The', 'cat'], 'The cat')).toEqual([
    [0, 0],
    [0, 3],
    [3, 7],
  ])
})

test('tokens may be spelt as in the vocabulary', () => {
  expect(alignTokens(['<s>', '▁The', '▁cat'], 'The cat')).toEqual([
    [0, 0],
    [0, 3],
    [3, 7],
  ])
  expect(alignTokens(['The', 'Ġcat', 'Ċ', 'Ġ'], 'The cat\n ')?.at(-1)).toEqual([8, 9])
})

test('tokens with partial characters share the characters they spell together', () => {
  for (const half of ['\ufffd', 'bytes:\\xe6']) {
    expect(alignTokens(['a', half, half, 'b'], 'a氡b')).toEqual([
      [0, 1],
      [1, 2],
      [1, 2],
      [2, 3],
    ])
    expect(alignTokens(['a', half, half], 'a氡')).toEqual([
      [0, 1],
      [1, 2],
      [1, 2],
    ])
  }
})

test('the first token may be unknown: it is BOS, or the text before the others', () => {
  expect(alignTokens([undefined, 'a', 'b'], 'ab')).toEqual([
    [0, 0],
    [0, 1],
    [1, 2],
  ])
  expect(alignTokens([undefined, 'a', 'b'], 'xyab')).toEqual([
    [0, 2],
    [2, 3],
    [3, 4],
  ])
})

test('tokens generated after the text are dropped', () => {
  expect(alignTokens(['a', 'b', ' more'], 'ab')).toHaveLength(2)
})

test('tokens of another text do not align', () => {
  expect(alignTokens([' Paris', '.'], 'The capital of France is')).toBeUndefined()
  expect(alignTokens(['The'], 'The capital')).toBeUndefined()
})

test('any division of a text into tokens aligns', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', ' ', '氡', '👍') }), { minLength: 1 }), (tokens) => {
      const ends = tokens.map((_, index) => tokens.slice(0, index + 1).join('').length)
      const expected = ends.map((end, index) => [end - tokens[index]!.length, end])
      expect(alignTokens(tokens, tokens.join(''))).toEqual(expected)
    }),
  )
})

test('tokens know the pieces that they overlap', () => {
  const source = { by: 'template', path: 'x' } as const
  const pieces = [plain('ab', source), plain('', source), { ids: [1], source }, plain('cd', source)]
  const tokens = tokensAt(
    [
      [0, 0],
      [0, 1],
      [1, 3],
      [3, 4],
    ],
    pieces,
    [9, 8, 7, 6],
  )
  expect(tokens).toEqual([
    { id: 9, span: [0, 0] },
    { id: 8, span: [0, 1], pieces: [0, 0] },
    { id: 7, span: [1, 3], pieces: [0, 3] },
    { id: 6, span: [3, 4], pieces: [3, 3] },
  ])
})
