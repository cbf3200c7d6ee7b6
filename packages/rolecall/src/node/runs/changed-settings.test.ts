import { expect, test } from 'vitest'
import { changedSettings } from './changed-settings.ts'

const asked = (model: object, options = {}) => ({ config: { models: [{ abbr: 'good', ...model }], datasets: [] }, options })

test('settings of flags and of models are named with their values before and after', () => {
  expect(changedSettings(asked({ max_out_len: 64 }), asked({ max_out_len: 256 }, { temperature: 0.7 }))).toEqual([
    'temperature: not set → 0.7',
    'good › max_out_len: 64 → 256',
  ])
  expect(changedSettings(asked({ options: { a: 1, b: 2 } }), asked({ options: { a: 1, b: 3 } }))).toEqual(['good › options.b: 2 → 3'])
})

test('where a server stands, prices and scoring are not what was asked, and long values are only named', () => {
  expect(changedSettings(asked({ base_url: 'http://a/v1', price: {} }), asked({ base_url: 'http://b/v1' }))).toEqual([])
  expect(changedSettings(asked({ system: 'x'.repeat(99) }), asked({ system: 'y'.repeat(99) }))).toEqual(['good › system'])
})

test('broken configs and models that are new have no changes', () => {
  expect(changedSettings({ config: null, options: {} }, asked({ a: 1 }))).toEqual([])
  expect(changedSettings({ config: { models: [1, null, { ['__proto__']: 1 }] }, options: {} }, asked({ a: 1 }))).toEqual([])
})
