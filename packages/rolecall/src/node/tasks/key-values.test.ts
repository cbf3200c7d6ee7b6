import { expect, test } from 'vitest'
import { readSettings } from './key-values.ts'

const read = (text: string) => Object.fromEntries(readSettings(text, '--gen-kwargs'))

test('commas separate settings outside of brackets and quotes; an apostrophe in a value opens none', () => {
  expect(read(`until=["a,b", 'c'],stop="x,y"`)).toEqual({ until: ['a,b', 'c'], stop: 'x,y' })
  expect(read(`system=don't,top_k=5,note=can't`)).toEqual({ system: "don't", top_k: 5, note: "can't" })
  expect(read('{"until": ["a"]}')).toEqual({ until: ['a'] })
})

test.each(['until=["a",top_k=5', `stop="a,top_k=5`, 'top_k', '{"top_k"'])('%s is an error', (text) => {
  expect(() => read(text)).toThrow('--gen-kwargs')
})
