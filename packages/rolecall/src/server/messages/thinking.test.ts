import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, test } from 'vitest'
import { type Script, scriptedModel } from '../../../../../proof/testing/scripted-model.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { createApp } from '../create-app.ts'
import { type Listening, listen } from '../listen.ts'

// Scripted models that think, are slow or fail.

let server: Listening | undefined
afterEach(() => server?.close({ now: true }))

const chat_template =
  '{% for m in messages %}[{{ m.role }}]{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{% endfor %}[assistant]{% if enable_thinking is defined and not enable_thinking %}<think></think>{% endif %}'
const config = { chat_template, reply_syntax: 'think' as const }
const request = { model: 'scripted', max_tokens: 80, messages: [{ role: 'user' as const, content: 'Hi' }] }

/** Gives the same reply to every prompt, and records the prompts. */
function keeping(prompts: string[]): Script['says'] {
  return (prompt) => {
    prompts.push(promptText(prompt))
    return ['46']
  }
}

async function start(script: Script, given: ModelConfig = config) {
  const model = scriptedModel(script)
  server = await listen(createApp({ models: [{ model, config: given }] }))
  return { model, client: new Anthropic({ baseURL: server.url, apiKey: 'none', maxRetries: 0 }) }
}

describe('thinking', () => {
  const says = () => ['<think>12 and', ' 34</thi', 'nk>\n\n4', '6']

  test('is returned as thinking blocks, whole and streamed', async () => {
    const { client } = await start({ says })
    const content = [
      { type: 'thinking', thinking: '12 and 34', signature: '' },
      { type: 'text', text: '46' },
    ]
    expect((await client.messages.create(request)).content).toEqual(content)
    const stream = client.messages.stream(request)
    const thoughts: string[] = []
    stream.on('thinking', (some) => thoughts.push(some))
    expect((await stream.finalMessage()).content).toEqual(content)
    expect(thoughts.join('')).toBe('12 and 34')
  })

  test('is sent back to the model with its message', async () => {
    const prompts: string[] = []
    const { client } = await start({ says: keeping(prompts) })
    const { content } = {
      content: [
        { type: 'thinking' as const, thinking: 'Hm.', signature: '' },
        { type: 'text' as const, text: 'Hello' },
      ],
    }
    const messages: Anthropic.MessageParam[] = [...request.messages, { role: 'assistant', content }, { role: 'user', content: 'And?' }]
    await client.messages.create({ ...request, messages })
    expect(prompts).toEqual(['[user]Hi[assistant]<think>Hm.</think>Hello[user]And?[assistant]'])
  })

  test('is turned off by the switch of the chat template; a missing switch is reported', async () => {
    const prompts: string[] = []
    const script: Script = { says: keeping(prompts) }
    const { client } = await start(script)
    const off = { ...request, thinking: { type: 'disabled' as const } }
    expect(await client.messages.create(off)).not.toHaveProperty('problems')
    expect(prompts).toEqual(['[user]Hi[assistant]<think></think>'])
    await server?.close()
    const { client: other } = await start(script, { format: 'chatml' })
    expect(await other.messages.create(off)).toMatchObject({ problems: [expect.stringContaining('no switch for thinking')] })
    const low = { ...request, output_config: { effort: 'low' as const } }
    expect(await other.messages.create(low)).toMatchObject({ problems: [expect.stringContaining('"low" has no effect')] })
  })
})

test('a client that disconnects aborts generation', async () => {
  const { model, client } = await start({ says: () => Array(200).fill('word '), milliseconds: 5 })
  const stream = client.messages.stream(request)
  await new Promise((resolve) => stream.once('text', resolve))
  stream.abort()
  await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError)
  await expect.poll(() => model.played.aborted).toBe(1)
})

test('a failure is an error response before the first token and an event afterwards, without details', async () => {
  const model = scriptedModel({ says: () => [] })
  const logged: string[] = []
  let words = ''
  const generate: LanguageModel['generate'] = async (_, { onText }) => {
    if (words !== '') onText?.(words)
    throw new Error('secret')
  }
  server = await listen(createApp({ models: [{ model: { ...model, generate }, config }], log: (text) => logged.push(text) }))
  const client = new Anthropic({ baseURL: server.url, apiKey: 'none', maxRetries: 0 })
  const before = await client.messages.stream(request).finalMessage().catch(String)
  expect(before).toMatch(/500.*"type":"api_error"/)
  words = 'Hello'
  const after = await client.messages.stream(request).finalMessage().catch(String)
  expect(after).toMatch(/"type":"api_error"/)
  expect([before, after].join()).not.toContain('secret')
  expect(logged.join('\n')).toContain('secret')
})
