import { expect, test } from 'vitest'
import { packState, unpackState } from './link.ts'

const state = { model: 'format: chatml\n', dataset: '{"a": "</script>"}', row: 'question: 你好\n' }

test('a link round-trips its content in URL-safe characters', async () => {
  const packed = await packState(state)
  expect(packed).toMatch(/^[\w-]+$/)
  expect(await unpackState(packed)).toEqual(state)
})

test('a truncated or unrelated link gives undefined', async () => {
  expect(await unpackState((await packState(state)).slice(0, -5))).toBeUndefined()
  expect(await unpackState('not a link')).toBeUndefined()
})
