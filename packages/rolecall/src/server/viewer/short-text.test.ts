import { expect, test } from 'vitest'
import { parseJson } from '../../../../core/src/base/python/index.ts'
import { shortAnswer, shortRow, shortText } from './short-text.ts'

test('a conversation is shown by its messages, not as a Python list', () => {
  const said = (json: string) => shortText(parseJson(json))
  expect(said('[{"role": "user", "content": "Say one."}, {"role": "assistant", "content": "one"}]')).toBe('Say one. · one')
  expect(said('[{"role": "assistant", "content": null, "tool_calls": []}, {"role": "user", "content": "2"}]')).toBe('2')
  expect(said('["Ada", "不客气"]')).toBe('Ada · 不客气')
  expect(said('[{"name": "get_time"}]')).toBe("[{'name': 'get_time'}]")
  expect(said('null')).toBe('')
})

test('calls are shown as calls', () => {
  const said = (json: string) => shortText(parseJson(json))
  const call = '{"name": "get_weather", "arguments": {"city": "Köln", "days": [1, 2]}, "arguments_text": "{}"}'
  expect(said(`[${call}, {"name": "now", "arguments": {}}]`)).toBe('get_weather(city="Köln", days=[1, 2]) · now()')
  expect(said('[{"code": "print(1)"}, {"malformed": "get(", "problem": "not closed"}]')).toBe('print(1) · get(')
  expect(said(`[[${call}], []]`)).toBe('get_weather(city="Köln", days=[1, 2]) · ')
  expect(said('[{"name": "f", "arguments": "x"}]')).toBe('f("x")')
})

test('the answer of a row is its text, or its calls', () => {
  const calls = parseJson('[{"name": "now", "arguments": {}}]')
  expect(shortAnswer({ prediction: 'It is noon.', calls })).toBe('It is noon.')
  expect(shortAnswer({ prediction: '', calls })).toBe('now()')
  expect(shortAnswer({ prediction: ['', ''], calls: [calls, []] })).toBe('now() · ')
  expect(shortAnswer({ prediction: '' })).toBe('')
})

test('media of a row are shown by name, and other texts as they are', () => {
  const file = `file:///data/pictures/cat.png#sha256=${'0'.repeat(64)}`
  expect(shortRow(JSON.stringify({ image: [file, file], sound: 'data:audio/wav;base64,AAAA', question: 'Which?' }))).toBe(
    '[cat.png] · [cat.png] · [audio/wav] · Which?',
  )
  expect(shortRow('{"question": "file: a.png"}')).toBe('file: a.png')
})

test.each([
  ['{"document": "The committee met', [], 'The committee met'],
  ['{"document": "a \\"b\\" c\\u00e', [], 'a "b" c'],
  ['{"document": "ends in \\\\', [], 'ends in \\'],
  ['{"id": 7, "question": "Why?", "document": "long', ['question'], 'Why?'],
  ['{"question": "Why?", "n": 12', [], 'Why?'],
  ['{"question": "Why?", "docu', [], 'Why?'],
  ['{"messages": [{"role": "user", "content": "Hello', ['messages'], 'Hello'],
  ['{"tags": ["one", "tw', [], 'one · tw'],
] as const)('a line that was cut shows what came before the cut: %s', (line, columns, shown) => {
  expect(shortRow(line, columns)).toBe(shown)
})
