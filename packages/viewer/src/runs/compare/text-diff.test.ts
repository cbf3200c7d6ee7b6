import { expect, test } from 'vitest'
import { diffTexts } from './text-diff.ts'

const marked = (one: string, other: string) =>
  diffTexts(one, other).map((parts) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(''))

test('differences are marked word by word in both texts', () => {
  expect(marked('The answer is 42.', 'The answer is 43.')).toEqual(['The answer is [42].', 'The answer is [43].'])
  expect(marked('a b c d', 'a c d e')).toEqual(['a [b ]c d', 'a c d[ e]'])
  expect(marked('答案是四', '答案是五')).toEqual(['答案是[四]', '答案是[五]'])
  expect(marked('same', 'same')).toEqual(['same', 'same'])
  expect(marked('', 'new')).toEqual(['', '[new]'])
})

test('no character is lost, whatever the length of the texts', () => {
  const [one, other] = [`x ${'a b '.repeat(5000)}`, `y ${'b c '.repeat(5000)}`]
  const [first, second] = diffTexts(one, other)
  expect(first.map(({ text }) => text).join('')).toBe(one)
  expect(second.map(({ text }) => text).join('')).toBe(other)
})
