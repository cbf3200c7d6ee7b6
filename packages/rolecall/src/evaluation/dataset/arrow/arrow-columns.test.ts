import { expect, test } from 'vitest'
import { type ArrowField, BatchReader, type ColumnValues } from './arrow-columns.ts'

const types = { binary: 4, bool: 6, utf8: 5, list: 12, struct: 13 }
const none = new Uint8Array()
const offsets = (...values: readonly number[]) => new Uint8Array(Int32Array.from(values).buffer)
const letters = new TextEncoder().encode('abc')

function column(field: Partial<ArrowField>, buffers: Uint8Array[], dictionaries = new Map<number, ColumnValues>()): ColumnValues {
  const nodes = buffers.map((): [number, number] => [1, 0])
  const whole = { name: 'c', type: 0, about: undefined, children: [], ...field }
  return new BatchReader({ nodes, buffers }, dictionaries).column(whole)
}

test('a text, a bit and a list that lead out of their column are errors', () => {
  expect(column({ type: types.utf8 }, [none, offsets(1, 3), letters])(0)).toBe('bc')
  expect(() => column({ type: types.utf8 }, [none, offsets(1, 9), letters])(0)).toThrow('leads out of its column')
  expect(() => column({ type: types.utf8 }, [none, offsets(2, 1), letters])(0)).toThrow('leads out of its column')
  expect(() => column({ type: types.bool }, [none, Uint8Array.of(1)])(8)).toThrow('too short')
  const bits = { name: 'b', type: types.bool, about: undefined, children: [] }
  expect(() => column({ type: types.list, children: [bits] }, [none, offsets(0, 2 ** 31 - 1), none, Uint8Array.of(1)])(0)).toThrow(
    'too short',
  )
  expect(() => column({ type: types.list, children: [bits] }, [none, offsets(5, 1), none, Uint8Array.of(1)])(0)).toThrow('before its start')
})

test('images as Hugging Face writes them are kept, or named by their path', () => {
  const child = (name: string, type: number) => ({ name, type, about: undefined, children: [] })
  const field = { ...child('image', types.struct), children: [child('bytes', types.binary), child('path', types.utf8)] }
  const nodes: [number, number][] = [
    [2, 0],
    [2, 1],
    [2, 0],
  ]
  // Of two rows, the first has bytes.
  const buffers = [none, Uint8Array.of(1), offsets(0, 2, 2), Uint8Array.of(0xff, 0xd8), none, offsets(0, 1, 3), letters]
  const read = (keep?: (bytes: Uint8Array) => string) => new BatchReader({ nodes, buffers }, new Map(), keep).column(field)
  const kept = read((bytes) => `kept ${bytes.length}`)
  expect([kept(0), kept(1)]).toEqual(['kept 2', 'bc'])
  expect(read()(1)).toEqual({ bytes: null, path: 'bc' })
})

test('indices of a dictionary may be unsigned', () => {
  const dictionaries = new Map<number, ColumnValues>([[7, (row) => row]])
  const at = (isSigned: boolean) => column({ dictionary: { id: 7, bits: 8, isSigned } }, [none, Uint8Array.of(200)], dictionaries)(0)
  expect(at(false)).toBe(200)
  expect(at(true)).toBe(-56)
})
