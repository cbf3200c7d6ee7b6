import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longLine, numberedLines } from './foreign-values.ts'
import { jsonElements } from './json-elements.ts'
import { fieldsIn } from './row-parts.ts'

function split(chunks: readonly string[], path: readonly string[]): { elements: [string, unknown][]; rest: unknown } {
  const elements: [string, unknown][] = []
  const reading = jsonElements(chunks, path)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return { elements, rest: JSON.parse(value) }
    elements.push([value.key, JSON.parse(value.text)])
  }
}

function inChunks(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

test('elements of a nested object or array, wherever chunks end', () => {
  const document = { 'a"b': [1, { x: ']' }], results: { prompts: [], rows: { '0': { q: 'a\\"},{' }, '1': [2], '2': 'x,y' } }, end: true }
  const text = JSON.stringify(document, null, 2)
  for (const size of [1, 2, 7, 1000]) {
    const { elements, rest } = split(inChunks(text, size), ['results', 'rows'])
    expect(elements).toEqual(Object.entries(document.results.rows))
    expect(rest).toEqual({ ...document, results: { ...document.results, rows: {} } })
  }
})

test('any document splits into what JSON.parse gives', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 9 }), (before, rows, size) => {
      const { elements, rest } = split(inChunks(JSON.stringify({ before, rows, after: [rows] }), size), ['rows'])
      expect(elements.map(([, value]) => value)).toEqual(JSON.parse(JSON.stringify(rows)))
      expect(rest).toEqual(JSON.parse(JSON.stringify({ before, rows: [], after: [rows] })))
    }),
  )
  expect(split(['[1, 2 ]'], [])).toEqual({
    elements: [
      ['0', 1],
      ['1', 2],
    ],
    rest: [],
  })
})

test('a line that is longer than a string may be is left out, with its number', () => {
  const chunks = ['{"a": 1}\n{"b": "', 'xxxx'.repeat(10), 'xxxx'.repeat(10), '"}\n{"c": 3}\n', 'y'.repeat(60)]
  expect([...numberedLines(chunks, 50)]).toEqual([
    { number: 1, text: '{"a": 1}' },
    { number: 2, text: longLine },
    { number: 3, text: '{"c": 3}' },
    { number: 4, text: longLine },
  ])
  expect(fieldsIn(longLine, 'f.jsonl')).toBe('the line is longer than 500,000,000 characters')
})

test('an element, a key or a rest that is longer than a string may be is left out; a key with a wrong escape is text', () => {
  const long = 'x'.repeat(80)
  const elements = [...jsonElements(['{"rows": [1, "', long, '", {"a": 2}]}'], ['rows'], 60)].map(({ text }) => text)
  expect(elements).toEqual(['1', longLine, '{"a": 2}'])
  const reading = jsonElements([`{"${long}": 1, "rows": [1, 2]}`], ['rows'], 60)
  expect([reading.next().value, reading.next().value, reading.next()]).toEqual([
    { key: '0', text: '1' },
    { key: '1', text: '2' },
    { done: true, value: longLine },
  ])
  expect([...jsonElements(['{"\\x": 1, "rows": [1]}'], ['rows'])]).toHaveLength(1)
})
