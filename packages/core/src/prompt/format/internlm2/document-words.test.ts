import { expect, test } from 'vitest'
import { parseExactReply } from '../../../reply/index.ts'
import { compileChat } from '../../compile/compile-chat.ts'
import { promptText } from '../prompt-text.ts'

const { render } = compileChat('internlm2')

test('"name=<|plugin|>", as document 004 prints it, says what to write', () => {
  expect(() => render({ messages: [{ role: 'system', name: '<|plugin|>', content: '[]' }] })).toThrow(
    expect.objectContaining({ code: 'bad-name', fix: 'write "plugin": the format makes the token of it' }),
  )
})

test('an empty name is not a name', () => {
  const write = (message: object) => promptText(render({ messages: [{ role: 'user', content: 'Hi', ...message }] }))
  expect(write({ name: '' })).toBe(write({}))
})

test('NaN in the arguments of a call is malformed, not null', () => {
  const reply = parseExactReply('<|action_start|><|plugin|>\n{"name": "f", "parameters": {"x": NaN}}<|action_end|>', 'internlm2')
  expect(JSON.stringify(reply)).toContain('malformed')
})

test('HUMAN, BOT and prompt, the words of documents 000 to 002, are understood in every format alike', () => {
  for (const format of ['internlm2', 'chatml', 'moss', 'vicuna_v1.1', 'messages']) {
    const write = (messages: object[]) => JSON.stringify(compileChat({ format }).render({ messages } as never))
    expect(write([{ role: 'HUMAN', prompt: '1+1=?' }])).toBe(write([{ role: 'user', content: '1+1=?' }]))
  }
})
