import { expect, test } from 'vitest'
import { bytesOf, textOf } from './join.ts'
import { control, plain, type Source } from './piece.ts'

const source: Source = { by: 'field', path: 'question' }

test('the text is that of the text pieces; token ids and images have none', () => {
  expect(textOf([control('a', source), { ids: [1, 2], source }, plain('b', source), { media: { kind: 'image', url: 'u' }, source }])).toBe(
    'ab',
  )
  expect(textOf([])).toBe('')
})

test('a surrogate pair that two pieces share is one character in the bytes', () => {
  expect([...bytesOf([plain('\ud83d', source), plain('\ude00', source)])]).toEqual([0xf0, 0x9f, 0x98, 0x80])
})

test('a lone surrogate becomes the replacement character', () => {
  expect([...bytesOf([plain('\ud83d', source), plain('a', source)])]).toEqual([0xef, 0xbf, 0xbd, 0x61])
})
