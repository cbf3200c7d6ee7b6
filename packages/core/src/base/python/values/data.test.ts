import { expect, test } from 'vitest'
import { dictEntries, dictFromEntries, dictGet, dictHas, dictKeys, isDict, isList, type PyDict, PyFloat, pyFloat } from './data.ts'

test('a float is wrapped only when JavaScript would take it for an int', () => {
  expect(pyFloat(0.5)).toBe(0.5)
  expect(pyFloat(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  expect(pyFloat(1)).toEqual(new PyFloat(1))
  expect(pyFloat(-0)).toEqual(new PyFloat(-0))
})

test('plain objects and maps are dicts; lists, floats and instances of classes are not', () => {
  for (const dict of [{}, { a: 1 }, Object.create(null), new Map()]) expect(isDict(dict)).toBe(true)
  for (const other of [null, undefined, 'a', 1, [], pyFloat(1), new Date(0), new Set(), () => 1]) expect(isDict(other)).toBe(false)
  expect([[], {}, 'a'].map(isList)).toEqual([true, false, false])
})

test('a dict is a plain object where that keeps the order of keys, else a map', () => {
  const plain: [string, number][] = [
    ['b', 1],
    ['01', 2],
    ['-1', 3],
    ['constructor', 4],
  ]
  expect(dictFromEntries(plain)).toEqual(Object.fromEntries(plain))
  for (const key of ['0', '42', '4294967294', '__proto__']) {
    const dict = dictFromEntries([...plain, [key, 5]])
    expect(dict).toBeInstanceOf(Map)
    expect(dictEntries(dict)).toEqual([...plain, [key, 5]])
  }
})

test('of a key given twice the last value wins, at the first position', () => {
  const entries: [string, number][] = [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ]
  expect(dictEntries(dictFromEntries(entries))).toEqual([
    ['a', 3],
    ['b', 2],
  ])
})

test('a dict has its own keys only, not those of every JavaScript object', () => {
  const dicts: PyDict[] = [{ a: null }, new Map([['a', null]])]
  for (const dict of dicts) {
    expect(dictKeys(dict)).toEqual(['a'])
    expect([dictHas(dict, 'a'), dictGet(dict, 'a')]).toEqual([true, null])
    for (const key of ['b', 'constructor', '__proto__', 'size'])
      expect([dictHas(dict, key), dictGet(dict, key)]).toEqual([false, undefined])
  }
})
