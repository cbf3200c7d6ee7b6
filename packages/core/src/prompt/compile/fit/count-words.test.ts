import { expect, test } from 'vitest'
import { countWords } from './count-words.ts'

test('runs of ASCII letters and digits count as one, each Chinese character as one', () => {
  expect(countWords('Hello, world 42!')).toBe(3)
  expect(countWords('你好world')).toBe(3)
  expect(countWords('abc123')).toBe(1)
})

test('nothing else counts', () => {
  expect(countWords('')).toBe(0)
  expect(countWords(' \n…é😀あ')).toBe(0)
})

test('the range ends where the reference ends it', () => {
  expect(countWords('\u4dff\u4e00\u9fff\ua000')).toBe(2)
})
