import { expect, test } from 'vitest'
import { itemsOf } from '../../../../proof/testing/items-of.ts'
import { readReplies } from './read-replies.ts'
import type { CallOptions, GenerateResult, StreamPart } from './specification.ts'

const params: CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Oslo?' }] }],
  tools: [{ type: 'function', name: 'weather', inputSchema: { type: 'object' } }],
}
const text = '<think>Hm.</think>Sure.<tool_call>{"name": "weather", "arguments": {}}</tool_call>'
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined },
}
const finishReason = { unified: 'stop' as const, raw: 'stop' }
const result: GenerateResult = { content: [{ type: 'text', text }], finishReason, usage, warnings: [] }
const middleware = readReplies('hermes', { generateId: () => 'id' })

function serverStream(): ReadableStream<StreamPart> {
  const deltas = (text.match(/[\s\S]{1,3}/g) ?? []).map((delta): StreamPart => ({ type: 'text-delta', id: 't', delta }))
  const parts: StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    ...deltas,
    { type: 'text-end', id: 't' },
  ]
  return new ReadableStream({
    start(controller) {
      for (const part of [...parts, { type: 'finish', finishReason, usage } satisfies StreamPart]) controller.enqueue(part)
      controller.close()
    },
  })
}

test('calls and thoughts that a server left in the text are read', async () => {
  const read = await middleware.wrapGenerate({ doGenerate: async () => result, params })
  expect(read.content.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call'])
  expect(read.finishReason.unified).toBe('tool-calls')
})

test('and streamed, they are the same', async () => {
  const { stream } = await middleware.wrapStream({ doStream: async () => ({ stream: serverStream() }), params })
  const parts = await itemsOf(stream)
  const said = (type: string) => parts.flatMap((part) => (part.type === type && 'delta' in part ? [part.delta] : [])).join('')
  expect([said('reasoning-delta'), said('text-delta'), said('tool-input-delta')]).toEqual(['Hm.', 'Sure.', '{}'])
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } })
})

test('without tools, what looks like a call stays text', async () => {
  const { tools: _, ...bare } = params
  const read = await middleware.wrapGenerate({ doGenerate: async () => result, params: bare })
  expect(read.content).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Sure.<tool_call>{"name": "weather", "arguments": {}}</tool_call>' },
  ])
})
