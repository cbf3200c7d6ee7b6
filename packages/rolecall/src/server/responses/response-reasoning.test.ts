import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { type Script, scriptedModel } from '../../../../../proof/testing/scripted-model.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { createApp } from '../create-app.ts'
import { type Listening, listen } from '../listen.ts'

// Scripted models that think, are slow or fail.

let server: Listening | undefined
afterEach(() => server?.close({ now: true }))

const config = { format: 'chatml', reply_syntax: 'think' as const }
const request = { model: 'scripted', input: 'Hi' }

async function start(script: Script, generate?: LanguageModel['generate']) {
  const scripted = scriptedModel(script)
  const model = generate ? { ...scripted, generate } : scripted
  server = await listen(createApp({ models: [{ model, config }] }))
  return { played: scripted.played, client: new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 }) }
}

describe('reasoning', () => {
  const says = () => ['<think>12 and', ' 34</thi', 'nk>\n\n4', '6']
  const content = [{ type: 'reasoning_text', text: '12 and 34' }]

  test('is a separate item, whole and streamed', async () => {
    const { client } = await start({ says })
    const expected = [{ type: 'reasoning', summary: [], content }, { type: 'message' }]
    const whole = await client.responses.create(request)
    expect(whole.output).toMatchObject(expected)
    expect(whole.output_text).toBe('46')
    // The scripted model has no tokenizer to count tokens.
    expect(whole.usage).not.toHaveProperty('output_tokens_details')
    const stream = client.responses.stream(request)
    let thoughts = ''
    stream.on('response.reasoning_text.delta' as never, (({ delta }: { delta: string }) => (thoughts += delta)) as never)
    expect((await stream.finalResponse()).output).toMatchObject(expected)
    expect(thoughts).toBe('12 and 34')
  })

  test('is returned as the summary if one is requested', async () => {
    const { client } = await start({ says })
    const withSummary = { ...request, reasoning: { summary: 'auto' as const } }
    const summary = [{ type: 'summary_text', text: '12 and 34' }]
    expect((await client.responses.create(withSummary)).output[0]).toMatchObject({ type: 'reasoning', summary })
    const stream = client.responses.stream(withSummary)
    let thoughts = ''
    stream.on('response.reasoning_summary_text.delta', ({ delta }) => {
      thoughts += delta
    })
    expect((await stream.finalResponse()).output[0]).toMatchObject({ type: 'reasoning', summary })
    expect(thoughts).toBe('12 and 34')
  })

  test('is sent back to the model with its message and calls', async () => {
    const prompts: string[] = []
    const { client } = await start({
      says: (prompt) => {
        prompts.push(promptText(prompt))
        return ['46']
      },
    })
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
      { role: 'user', content: 'And?' },
    ]
    await client.responses.create({ ...request, input: input as OpenAI.Responses.ResponseInput })
    expect(prompts[0]).toContain('<|im_start|>assistant\nHello<|im_end|>\n<|im_start|>user\nAnd?')
  })
})

test('a client that disconnects aborts generation', async () => {
  const { played, client } = await start({ says: () => Array(200).fill('word '), milliseconds: 5 })
  const stream = client.responses.stream(request)
  await new Promise((resolve) => stream.once('response.output_text.delta', resolve))
  stream.abort()
  await expect(stream.finalResponse()).rejects.toThrow(OpenAI.APIUserAbortError)
  await expect.poll(() => played.aborted).toBe(1)
})

test('a failure is an error response before the first token, and events afterwards', async () => {
  let words = ''
  const { client } = await start({ says: () => [] }, async (_, { onText }) => {
    if (words !== '') onText?.(words)
    throw new Error('secret')
  })
  await expect(client.responses.stream(request).finalResponse()).rejects.toMatchObject({ status: 500 })
  words = 'Hello'
  const types: string[] = []
  const stream = await client.responses.create({ ...request, stream: true })
  const streamed = (async () => {
    for await (const { type } of stream) types.push(type)
  })()
  await expect(streamed).rejects.toMatchObject({ code: 'internal_error', message: expect.not.stringContaining('secret') })
  expect(types.at(-1)).toBe('response.failed')
})
