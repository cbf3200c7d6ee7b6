import { expect, test } from 'vitest'
import { starters } from '../starters.ts'
import { drawRows } from './draw-rows.ts'

const column = { name: 'tiny-chat', settings: { format: 'internlm2' }, variables: {} }
const rows = starters.filter(({ state }) => state.source === 'row')

test.each(rows.map(({ id, state }) => [id, state] as const))('the starter %s has a prompt', async (_, { row }) => {
  const [drawn] = await drawRows([column], row)
  expect(drawn && 'prompt' in drawn ? drawn.prompt.text : drawn?.problem).toContain('12+30=?')
})
