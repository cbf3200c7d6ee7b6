import { expect, test } from 'vitest'
import { RunMemo } from './run-memo.ts'
import type { Tokenizer } from './tokenizer.ts'

function countingTokenizer(): { tokenizer: Tokenizer; encoded: string[] } {
  const encoded: string[] = []
  const encodeRun = (text: string) => {
    encoded.push(text)
    return { ids: [1], starts: [0], ends: [text.length], partial: new Set<number>() }
  }
  return { tokenizer: { encodeRun } as unknown as Tokenizer, encoded }
}

const isProtected = () => false

test('a run is encoded once, and once more where nothing stands before it', () => {
  const { tokenizer, encoded } = countingTokenizer()
  const memo = new RunMemo()
  for (const isFirst of [true, false, true, false]) memo.encode(tokenizer, 'a', isFirst, isProtected)
  expect(encoded).toEqual(['a', 'a'])
})

test('what was not used for longest is forgotten first', () => {
  const { tokenizer, encoded } = countingTokenizer()
  const memo = new RunMemo(4)
  for (const text of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb']) memo.encode(tokenizer, text, false, isProtected)
  expect(encoded).toEqual(['aa', 'bb', 'cc', 'bb'])
})

test('where only what comes again is remembered, a run is encoded twice at most', () => {
  const { tokenizer, encoded } = countingTokenizer()
  const memo = new RunMemo(100, 'repeated')
  for (const text of ['a', 'b', 'a', 'a', 'a', 'c']) memo.encode(tokenizer, text, false, isProtected)
  expect(encoded).toEqual(['a', 'b', 'a', 'c'])
})
