import { expect, test } from 'vitest'
import { inferencerNames } from '../config/inferencer-names.ts'
import { inferencers } from './inferencers.ts'

test('the names that imported configs are compared with are those of the inferencers', () => {
  expect(Object.keys(inferencers).sort()).toEqual([...inferencerNames].sort())
})
