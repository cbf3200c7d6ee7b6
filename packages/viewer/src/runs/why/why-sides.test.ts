import { expect, test } from 'vitest'
import { chosenPairs, type SidePair } from './why-sides.ts'

const pair = (number: number, model: string, dataset: string): SidePair => ({ number, model, dataset })
const first = [pair(0, 'm', 'a'), pair(1, 'm', 'b'), pair(2, 'n', 'b')]
const numbers = (second: readonly SidePair[], named: readonly [string?, string?] = []) =>
  chosenPairs([first, second], [named[0], named[1]])?.map(({ number }) => number)

test('without a choice, the same model and dataset are explained, else the same dataset, else the first', () => {
  expect(numbers([pair(0, 'n', 'a'), pair(1, 'n', 'b')])).toEqual([2, 1])
  expect(numbers([pair(0, 'other', 'b')])).toEqual([1, 0])
  expect(numbers([pair(0, 'other', 'c')])).toEqual([0, 0])
  expect(numbers([])).toBeUndefined()
})

test('a named pair is explained; an unknown name is ignored', () => {
  expect(numbers([pair(0, 'n', 'a'), pair(1, 'n', 'b')], ['m on b'])).toEqual([1, 1])
  expect(numbers([pair(0, 'n', 'a'), pair(1, 'n', 'b')], ['m on a', 'n on b'])).toEqual([0, 1])
  expect(numbers([pair(0, 'n', 'a')], ['gone on a'])).toEqual([0, 0])
})
