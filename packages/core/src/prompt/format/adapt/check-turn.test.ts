import { expect, test } from 'vitest'
import { quirksOf } from '../../../base/fidelity/quirks.ts'
import { readChat } from '../../conversation/read-chat.ts'
import { compileFormat } from '../compile-format.ts'

const render = (messages: readonly object[]) => () =>
  compileFormat({ format: 'vicuna_v1.1' }, quirksOf(undefined)).render(readChat({ messages } as Parameters<typeof readChat>[0]), {
    want: 'generate',
  })

test('a conversation template refuses tool calls, and call ids outside of results, instead of dropping them', () => {
  const user = { role: 'user', content: 'Hi' }
  const call = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }
  expect(render([user, { role: 'assistant', content: '', tool_calls: [call] }, user])).toThrow(
    expect.objectContaining({ code: 'calls-not-supported', where: 'messages[1].tool_calls' }),
  )
  expect(render([{ ...user, tool_call_id: '1' }])).toThrow(expect.objectContaining({ code: 'bad-message' }))
})
