import { describe, expect, test } from 'vitest'
import { MarkerSet } from './marker-set.ts'
import { ObjectScanner } from './scanners.ts'

const noMarkers = new MarkerSet<string>([])
const markers = new MarkerSet([{ text: '</call>', meaning: 'close' }])

type Scanned = { status: string; stop: number; told: string[] }

/** Scans a value in chunks. */
function scan(pieces: readonly string[], { wanted = 'x', hidesMarkers = true, marks = noMarkers } = {}): Scanned {
  const told: string[] = []
  const scanner = new ObjectScanner(hidesMarkers, {
    key: (key) => {
      told.push(`key ${key}`)
      return key === wanted ? 'wanted' : key === 'stop' ? 'stop' : 'other'
    },
    value: (text) => told.push(text),
    valueEnd: (start, end) => told.push(`${start}-${end}`),
  })
  let stop = 0
  for (const piece of pieces) {
    stop += scanner.scan(piece, 0, marks, false)
    if (scanner.status !== 'more') break
  }
  return { status: scanner.status, stop, told }
}

const cut = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

const sizes = [1, 2, 3, 7, 1000]

describe('the listener hears the first level, however the text is cut', () => {
  const cases: [written: string, keys: string[], value: string | undefined][] = [
    ['{"x": 1}', ['x'], '1'],
    ['{"x":1,"y":2}', ['x', 'y'], '1'],
    ['{"": 1, "x": 2}', ['', 'x'], '2'],
    ['{"x": 1 , "y": 2}', ['x', 'y'], '1'],
    ['{ "y" : [1, {"x": 2}], "x" : "a\\"b" }', ['y', 'x'], '"a\\"b"'],
    ['{"x": {"x": [1, "}"]}, "z": null}', ['x', 'z'], '{"x": [1, "}"]}'],
    ['{"x": [[1], [2]]\n}', ['x'], '[[1], [2]]'],
    ['{"x": true\t, "y": "x"}', ['x', 'y'], 'true'],
    ['{"\\u0078": -1.5}', ['x'], '-1.5'],
    ['{"y": "x", "z": 3}', ['y', 'z'], undefined],
    ['{x: 1, "y": 2}', ['y'], undefined],
    ['{"x": "\\\\", "y": "\\\\\\""}', ['x', 'y'], '"\\\\"'],
    ['{"x": "上海😀", "y": "é"}', ['x', 'y'], '"上海😀"'],
    ['{}', [], undefined],
    ['[1, 2]', [], undefined],
  ]
  test.each(cases)('%s', (written, keys, value) => {
    for (const size of sizes) {
      const { told, status, stop } = scan(cut(written, size))
      expect({ status, stop }, `pieces of ${size}`).toEqual({ status: 'end', stop: written.length })
      expect(told.filter((one) => one.startsWith('key '))).toEqual(keys.map((key) => `key ${key}`))
      const place = told.find((one) => /^\d+-\d+$/.test(one))
      expect(place && written.slice(...(place.split('-').map(Number) as [number, number]))).toBe(value)
      expect(told.filter((one) => !one.startsWith('key ') && one !== place).join('')).toBe(value ?? '')
    }
  })

  test('the scan stops after the value', () => {
    expect(scan(['{"x": 1}} more'])).toMatchObject({ status: 'end', stop: 8 })
    expect(scan(['{"x": [1]', '] more'])).toMatchObject({ status: 'end', stop: 10 })
  })

  test('the listener may stop the scan', () => {
    expect(scan(['{"a": 1, "stop": 2, "b": 3}'])).toMatchObject({ status: 'stop', stop: 15, told: ['key a', 'key stop'] })
  })
})

describe('markers', () => {
  const cases: [string, boolean, string, number][] = [
    ['{"x": "</call>"}', true, 'end', 16],
    ['{"x": "</call>"}', false, 'marker', 7],
    ['{"x": 1 </call>', true, 'marker', 8],
    ['{"x": [1, </call>', true, 'marker', 10],
    ['{"x": [{"y": "</call>"}, </call>', true, 'marker', 25],
    ['{"x": [1, </ca', true, 'partial', 10],
    ['{"x": 1 </ca', true, 'partial', 8],
    ['{"x": "</ca', false, 'partial', 7],
    ['{"x": "a < b", "y": [1 < 2]}', true, 'end', 28],
    ['{"x": "a < b", "y": [1 < 2]}', false, 'end', 28],
  ]
  test.each(cases)('%s, hidden in strings: %s', (written, hidesMarkers, status, stop) => {
    expect(scan([written], { hidesMarkers, marks: markers })).toMatchObject({ status, stop })
  })
})
