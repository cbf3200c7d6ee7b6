import { expect, test } from 'vitest'
import { JsonSyntaxError } from '../python/index.ts'
import { parseLenientJson } from './lenient-json.ts'

test('what people write in documents is read', () => {
  expect(parseLenientJson(`[{"path": "data.csv", size='10K'}]`)).toEqual([{ path: 'data.csv', size: '10K' }])
  expect(parseLenientJson('{"required": ["location"],\n}')).toEqual({ required: ['location'] })
  expect(parseLenientJson("{'a': True, 'b': None, // why\n c: [1, -2.5, 1e3,], # because\n}")).toEqual({
    a: true,
    b: null,
    c: [1, -2.5, { value: 1000 }],
  })
  expect(parseLenientJson(`{'it\\'s': "a \\"b\\" 'c'", "d": 'e "f"'}`)).toEqual({ "it's": `a "b" 'c'`, d: 'e "f"' })
  expect(parseLenientJson(' "two\nlines" ')).toBe('two\nlines')
})

test('JSON means what it means', () => {
  expect(parseLenientJson('{"temperature": 22, "s": "\\u4e0a\\n", "e": {}, "l": []}')).toEqual({ temperature: 22, s: '上\n', e: {}, l: [] })
})

test('what has no meaning is refused with its place', () => {
  for (const text of ['', '{', '[1', '{"a"}', '{"a": }', '[1 2]', '"open', 'word', '1 2', '{a b: 1}', '['.repeat(2000)])
    expect(() => parseLenientJson(text), text.slice(0, 20)).toThrow(JsonSyntaxError)
})
