import { defineModel } from '@rolecall/core/internal/model'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { LanguageModel } from '../language-model/language-model.ts'
import { type AgentTool, defineTool } from './agent-tool.ts'
import { askAgent } from './run-agent.ts'

/** A model that calls `add` with these arguments, and then repeats the result. */
function calling(argumentsText: string): LanguageModel {
  const replies = [`<|action_start|><|plugin|>\n{"name": "add", "parameters": ${argumentsText}}<|action_end|>`]
  const generate: LanguageModel['generate'] = async (prompt) => {
    const last = prompt.kind === 'completion' ? prompt.pieces.filter(({ source }) => source.by === 'tool').at(-1) : undefined
    const text = replies.shift() ?? (last && 'text' in last ? last.text : '')
    return { text, finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
  }
  return { name: 'calling', generate }
}

const format = defineModel('internlm2')
const ask = (argumentsText: string, add: AgentTool) =>
  askAgent({ model: calling(argumentsText), format, messages: [{ role: 'user', content: '?' }], tools: [add] })

const add = defineTool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.coerce.number().refine((value) => value !== 13, 'no thirteen') }),
  run: ({ a, b }) => ({ sum: a + b }),
})

test('a validator gives a tool its JSON Schema, and its arguments their type', async () => {
  expect(add.parameters).toMatchObject({ type: 'object', required: ['a', 'b'], properties: { a: { type: 'number' } } })
  const { text } = await ask('{"a": 1.0, "b": 2}', add)
  expect(text).toBe('{"sum": 3}')
})

test('the model is told what the validator finds wrong', async () => {
  const { text } = await ask('{"a": 1, "b": 13}', add)
  expect(text).toContain('b: no thirteen')
})

test('options that do not exist are refused', async () => {
  expect(() => defineTool({ name: 'add', parameter: {} } as never)).toThrow('Did you mean "parameters"?')
  const options = { model: calling('{}'), format, messages: [], tool: [] }
  await expect(askAgent(options as never)).rejects.toThrow('Did you mean "tools"?')
})

test('a validator without a JSON Schema needs one beside it', () => {
  const input = { '~standard': { validate: (value: unknown) => ({ value }) } }
  expect(() => defineTool({ name: 'add', input, run: () => 1 })).toThrow('this validator has no JSON Schema')
  expect(defineTool({ name: 'add', input, parameters: { type: 'object' }, run: () => 1 }).parameters).toEqual({ type: 'object' })
})
