import { expect, test } from 'vitest'
import { changedLimits, type LimitName } from './changed-limits.ts'

const changes = (fields: Partial<Record<LimitName, string>>) =>
  changedLimits({ maxCost: 5, maxTime: 60 }, (name) => ({ maxCost: '5', maxTokensTotal: '', maxTime: '60', ...fields })[name])

test('only changed limits are sent; an empty field removes one, and text that is no number changes nothing', () => {
  expect(changes({})).toBeUndefined()
  expect(changes({ maxCost: '5.0' })).toBeUndefined()
  expect(changes({ maxCost: '7.5' })).toEqual({ maxCost: 7.5 })
  expect(changes({ maxTime: ' ', maxTokensTotal: '1000' })).toEqual({ maxTime: null, maxTokensTotal: 1000 })
  expect(changes({ maxCost: 'many' })).toBeUndefined()
  expect(changes({ maxCost: '-1' })).toEqual({ maxCost: -1 })
})
