import { expect, test } from 'vitest'
import { TextBuffer } from './text-buffer.ts'

test('pieces of any length add up, and the length is known at every step', () => {
  // Short pieces are gathered, longer ones are added; some hundreds of codes are made one string.
  const buffer = new TextBuffer()
  expect(buffer.length).toBe(0)
  expect(buffer.toString()).toBe('')
  let expected = ''
  for (const length of [1, 0, 2, 15, 16, 17, 1, 300, 3, ...Array.from({ length: 700 }, () => 1), 16, 16, 511, 512, 2, 1]) {
    const piece = Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + expected.length + at)).join('')
    buffer.add(piece)
    expected += piece
    expect(buffer.length).toBe(expected.length)
    if (expected.length % 5 === 0) expect(buffer.toString()).toBe(expected)
  }
  expect(buffer.toString()).toBe(expected)
})

test('a cleared buffer starts anew', () => {
  const buffer = new TextBuffer()
  for (const piece of ['ab', 'c', 'd']) buffer.add(piece)
  buffer.clear()
  expect([buffer.length, buffer.toString()]).toEqual([0, ''])
  for (const piece of ['x', 'y']) buffer.add(piece)
  expect([buffer.length, buffer.toString()]).toEqual([2, 'xy'])
})

test('parts of a text that follow one another add up, among pieces of their own', () => {
  const text = 'a text that is longer than a short piece'
  const buffer = new TextBuffer()
  buffer.addPart(text, 2, 6)
  buffer.addPart(text, 6, 6)
  buffer.addPart(text, 6, 11)
  expect([buffer.length, buffer.toString()]).toEqual([9, 'text that'])
  buffer.addPart(text, 11, 14)
  buffer.add('!')
  buffer.addPart(text, 0, 1)
  buffer.addPart(text, 20, 26)
  buffer.addPart('short', 1, 3)
  expect([buffer.length, buffer.toString()]).toEqual([22, 'text that is!ar thanho'])
  buffer.clear()
  buffer.addPart(text, 14, 21)
  expect(buffer.toString()).toBe(' longer')
})
