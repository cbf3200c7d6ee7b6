import { expect, test } from 'vitest'
import { firstState, readState } from './lab-state.ts'
import { packState, unpackState } from './link.ts'
import { starters } from './starters.ts'

test.each(starters.map(({ id, state }) => [id, state] as const))('a link to the starter %s restores it', async (_, state) => {
  expect(readState(await unpackState(await packState(state)))).toEqual(JSON.parse(JSON.stringify(state)))
})

test('a link of the playground opens its row and its model', () => {
  const state = readState({ dataset: 'infer_cfg: {}', model: 'format: chatml', row: 'q: 1', mode: 'ppl' })
  expect(state).toMatchObject({
    source: 'row',
    row: { dataset: 'infer_cfg: {}', row: 'q: 1', mode: 'ppl' },
    own: [{ settings: { config: 'format: chatml' } }],
  })
})

test.each([
  ['a number', 1],
  ['no columns', { columns: [] }],
  ['columns without models', { columns: [{ model: 1 }, null] }],
  ['a list', [firstState]],
])('%s is no state', (_, value) => {
  expect(readState(value)).toBeUndefined()
})

test('what does not have the right shape is left out, and columns beyond four', () => {
  const read = readState({
    columns: Array(9).fill({ model: 'qwen3', engine: 'x', variables: [] }),
    messages: [{ role: 1 }],
    own: [{ id: 1 }],
    want: 'x',
    marks: ['ids', 'x'],
    date: 'never',
  })
  expect(read).toEqual({ ...firstState, columns: Array(4).fill({ model: 'qwen3' }), marks: ['ids'] })
})
