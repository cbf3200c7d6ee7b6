import { expect, test } from 'vitest'
import { type ArrowField, BatchReader, type ColumnValues } from './arrow-columns.ts'

const types = { bool: 6, utf8: 5, list: 12 }
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

test('indices of a dictionary may be unsigned', () => {
  const dictionaries = new Map<number, ColumnValues>([[7, (row) => row]])
  const at = (isSigned: boolean) => column({ dictionary: { id: 7, bits: 8, isSigned } }, [none, Uint8Array.of(200)], dictionaries)(0)
  expect(at(false)).toBe(200)
  expect(at(true)).toBe(-56)
})
