import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonElements } from './json-elements.ts'

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
