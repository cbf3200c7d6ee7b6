import { describe, expect, test } from 'vitest'
import { MarkerSet } from './marker-set.ts'
import { ObjectScanner } from './object-scanner.ts'

const noMarkers = new MarkerSet<string>([])
const markers = new MarkerSet([{ text: '</call>', meaning: 'close' }])

type Scanned = { status: string; stop: number; isPlain: boolean; told: string[] }

/** Scans a value that comes in pieces: small ones by `takeInside` where it takes them, as a parser does. */
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
    if (scanner.takeInside(piece, marks)) {
      if (scanner.isInWanted) told.push(piece)
      stop += piece.length
      continue
    }
    const end = scanner.scan(piece, 0, marks, false)
    stop += end
    if (scanner.status !== 'more') break
  }
  return { status: scanner.status, stop, isPlain: scanner.isPlain, told }
}

const cut = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

const sizes = [1, 2, 3, 7, 1000]

describe("whether JavaScript's own reader loses nothing of a value", () => {
  const plain = [
    ...['1', '0', '-1', '12', '1.5', '-1.5', '10', '-10.25', '[1, -2, 3.25]', '12345678901234', '1234567.123456'],
    ...['"a"', '"e"', '"-0"', '":"', 'true', 'false', 'null', '[]', '{}', '""', '{"a": "x1.0"}', '{"a1": 1}', '"/"'],
    ...['{"A": 1}', '{"~": 1}', '{"`": 1}', '{":": 1}', '{"/": 1}', `${'['.repeat(99)}${']'.repeat(99)}`],
    ...['[12345678901234, 12345678901234]', '[1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8]', '{"a": -1, "b": 0}', '[0, 0]', '["", 0]'],
  ]
  const closely = [
    ...['1.0', '-0', '0.0', '-0.5', '1e5', '1E5', '1.5e-3', '[1.0]', '[[1e2]]', '123456789012345', '-12345678901234', '{"0": 1}'],
    ...[
      '"1e5"',
      '{"a": "1.0"}',
      '{"9": 1}',
      '{"5a": 1}',
      '{"__proto__": 1}',
      '{"_": 1}',
      '"_"',
      '"0"',
      '[{"1": 2}]',
      '[["0"]]',
      '{"a": {"b": {"7": 1}}}',
    ],
    ...[`${'['.repeat(100)}${']'.repeat(100)}`, `[${'['.repeat(101)}1${']'.repeat(101)}, 2]`],
  ]
  test.each([...plain.map((value) => [value, true] as const), ...closely.map((value) => [value, false] as const)])(
    '%s: %s',
    (value, isPlain) => {
      for (const written of [`{"x": ${value}}`, `{"y": {"z": ${value}, "a": "b"}}`, `{"y": [${value} , "b"], "c": ["d"]}`])
        for (const size of sizes) {
          // Two brackets more stand around it.
          if (value.startsWith('[[[') && !written.startsWith('{"x"')) continue
          expect(scan(cut(written, size)), `${written} in pieces of ${size}`).toMatchObject({
            status: 'end',
            stop: written.length,
            isPlain,
          })
        }
    },
  )

  test('what was looked at before is not counted twice', () => {
    const scanner = new ObjectScanner(true, { key: () => 'other', value() {}, valueEnd() {} })
    expect(scanner.scan('{"a": [1', 0, noMarkers, false)).toBe(8)
    expect(scanner.takeInside('2, "b" ], "c"', noMarkers), 'it leads out of the list').toBe(false)
    expect(scanner.scan('2, "b" ], "c": 0}', 0, noMarkers, false)).toBe(17)
    expect(scanner).toMatchObject({ status: 'end', isPlain: true })
  })
})

describe('what stands on the first level is told, however the text is cut', () => {
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

  test('what follows the value is not read', () => {
    expect(scan(['{"x": 1}} more'])).toMatchObject({ status: 'end', stop: 8 })
    expect(scan(['{"x": [1]', '] more'])).toMatchObject({ status: 'end', stop: 10 })
  })

  test('a listener may stop it', () => {
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

  test('a piece inside a value is taken unless it may end a value that is wanted, or begin a marker', () => {
    const inside = (before: string, piece: string, hidesMarkers = true, isWanted = false) => {
      const scanner = new ObjectScanner(hidesMarkers, { key: () => (isWanted ? 'wanted' : 'other'), value() {}, valueEnd() {} })
      scanner.scan(before, 0, markers, false)
      return scanner.takeInside(piece, markers)
    }
    const cases: [before: string, piece: string, isTaken: boolean][] = [
      ['{"x": "a', 'b', true],
      ['{"x": "a', 'b < c', true],
      ['{"x": "a', '"', true],
      ['{"x": "a', '",', false],
      ['{"x": "a', '\\"', true],
      ['{"x": "a\\', '"', true],
      ['{"x": "a\\', '\\"', true],
      ['{"x": "a"', '}', false],
      ['{"x": ["a', '"', true],
      ['{"x": ["a', '"]', true],
      ['{"x": ["a', '"]}', false],
      ['{"x": [1', ', 2', true],
      ['{"x": [1', '<', false],
      ['{"x": [[1', ']', true],
      ['{"x": [[1', ']]', true],
      ['{"x": [[1', ']]]', false],
      ['{"x": [1', '[2], é', true],
      ['{"x": 1', '2', true],
      ['{"x": 1', '}', false],
      ['{"x": 1', '"', false],
      ['{"x": 1', '<', false],
      ['{"x', 'y', true],
      ['{"', 'y', true],
      ['{"', '"', false],
      ['{', '"', true],
      ['{"x":', '"', true],
      ['{"x":', '[', true],
      ['{"x":', '1', true],
      ['{"x":', 't', true],
      ['{"x":', '}', false],
      ['{"x": 1', ',', true],
      ['{"x": 1', ' ', true],
      ['{"x"', '<', false],
      ['{"x"', ' :', false],
      ['{"x', '"', false],
      ['{"x', '\\', false],
      ['{"x\\', 'y', false],
      ['{"x"', ':', true],
    ]
    for (const [before, piece, isTaken] of cases) expect(inside(before, piece), `${before} + ${piece}`).toBe(isTaken)
    const ends: [before: string, piece: string][] = [
      ['{"x": "a', '"'],
      ['{"x": ["a"', ']'],
      ['{"x": 1', '2'],
      ['{"x": 1', ','],
      ['{"x":', '1'],
    ]
    for (const [before, piece] of ends) expect(inside(before, piece, true, true), `${before} + ${piece}, wanted`).toBe(false)
    expect(inside('{"x": "a', 'b', false), 'where markers count everywhere').toBe(false)
  })
})
