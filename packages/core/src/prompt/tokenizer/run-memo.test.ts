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

test('a run is encoded once, and once more at the start of a prompt', () => {
  const { tokenizer, encoded } = countingTokenizer()
  const memo = new RunMemo()
  for (const isFirst of [true, false, true, false]) memo.encode(tokenizer, 'a', isFirst, isProtected)
  expect(encoded).toEqual(['a', 'a'])
})

test('the least recently used run is evicted first', () => {
  const { tokenizer, encoded } = countingTokenizer()
  const memo = new RunMemo(4)
  for (const text of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb']) memo.encode(tokenizer, text, false, isProtected)
  expect(encoded).toEqual(['aa', 'bb', 'cc', 'bb'])
})

test('if only recurring runs are cached, a run is encoded at most twice', () => {
  const { tokenizer, encoded } = countingTokenizer()
  const memo = new RunMemo(100, 'repeated')
  for (const text of ['a', 'b', 'a', 'a', 'a', 'c']) memo.encode(tokenizer, text, false, isProtected)
  expect(encoded).toEqual(['a', 'b', 'a', 'c'])
})
