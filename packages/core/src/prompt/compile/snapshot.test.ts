import { expect, test } from 'vitest'
import { isSnapshotOf, snapshotOf } from './snapshot.ts'

const value = () => ({ a: 1, b: ['x', null, { c: true }], d: { e: 1.5 } })
const isSame = (a: unknown, b: unknown) => isSnapshotOf(snapshotOf(a)!, b)

test('a snapshot detects every change of a value', () => {
  expect(isSame(value(), value())).toBe(true)
  expect(isSame(value(), { ...value(), a: 2 })).toBe(false)
  expect(isSame(value(), { ...value(), f: 1 })).toBe(false)
  expect(isSame(value(), { a: 1, b: value().b })).toBe(false)
  expect(isSame(value(), { b: value().b, a: 1, d: value().d })).toBe(false)
  expect(isSame(value(), { ...value(), b: ['x', null] })).toBe(false)
  expect(isSame(value(), { ...value(), b: ['x', null, { c: false }] })).toBe(false)
  expect(isSame(value(), { ...value(), d: null })).toBe(false)
})

test('similar values are not equal', () => {
  expect(isSame(1, '1')).toBe(false)
  expect(isSame(0, -0)).toBe(false)
  expect(isSame([], {})).toBe(false)
  expect(isSame({}, [])).toBe(false)
  expect(isSame({}, new Map())).toBe(false)
  expect(isSame({}, null)).toBe(false)
  expect(isSame(null, {})).toBe(false)
  expect(isSame({ keys: ['a'], values: [1] }, { a: 1 })).toBe(false)
  expect(isSame({ a: 1 }, Object.assign(Object.create({ b: 1 }) as object, { a: 1 }))).toBe(false)
})

test('values beyond JSON have no snapshot', () => {
  const around: unknown[] = []
  around.push(around)
  for (const one of [undefined, new Map(), new Date(), 1n, [undefined], { a: () => 1 }, around, Object.assign([], { 1: 1 })])
    expect(snapshotOf(one)).toBeUndefined()
})
