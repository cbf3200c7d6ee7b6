import { expect, test } from 'vitest'
import { mapColumns } from './map-columns.ts'

test('a path inside the row, a column whose name has a dot, and a list item become columns', () => {
  const row = { data: { q: '1+1=?' }, 'a.b': 'dotted', a: { b: 'nested' }, turns: ['x', 'y'] }
  expect(mapColumns(row, { question: 'data.q', dotted: 'a.b', second: 'turns.1', none: 'data.missing' })).toEqual({
    ...row,
    question: '1+1=?',
    dotted: 'dotted',
    second: 'y',
  })
})

test('several columns become a list; empty ones at its end are left out', () => {
  expect(mapColumns({ a: '1', b: '', c: '3', d: '', e: null }, { choices: ['a', 'b', 'c', 'd', 'e'] })).toMatchObject({
    choices: ['1', '', '3'],
  })
})

test('texts with JSON or a Python literal are parsed, and values replaced', () => {
  expect(mapColumns({ o: "['a', 'b']" }, { choices: { from: 'o', parse: true } })).toMatchObject({ choices: ['a', 'b'] })
  expect(mapColumns({ label: 1 }, { label: { from: 'label', values: { 0: 'no', 1: 'yes' } } })).toEqual({ label: 'yes' })
})

test('a text that cannot be parsed and a value without an entry make a bad row', () => {
  expect(mapColumns({ o: "['a' 'b'" }, { choices: { from: 'o', parse: true } })).toEqual({
    problem: 'map_columns.choices: "o" is neither JSON nor a Python literal',
    fix: 'correct the value, or remove `parse`',
  })
  expect(mapColumns({ label: 7 }, { label: { from: 'label', values: { 0: 'no' } } })).toEqual({
    problem: 'map_columns.label: "7" has no entry in `values` (0)',
    fix: 'add it to `values`',
  })
})
