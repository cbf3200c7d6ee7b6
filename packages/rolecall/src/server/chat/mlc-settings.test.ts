import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Listening } from '../listen.ts'
import { serve } from '../serve-models.ts'

let server: Listening

beforeAll(async () => {
  const vicuna = { conv_template: 'vicuna_v1.1', temperature: 0, max_gen_len: 3, mean_gen_len: 3 }
  server = await serve({
    models: [
      { abbr: 'short', type: 'embedded', mlc_config: vicuna },
      { abbr: 'narrow', type: 'embedded', mlc_config: { ...vicuna, conv_config: { system: '' }, max_window_size: 60 } },
      { abbr: 'lm', type: 'embedded', mlc_config: { ...vicuna, conv_config: { separator_style: 1 } } },
    ],
  })
}, 60_000)

afterAll(() => server.close())

type RouteResult = {
  choices: { finish_reason: string; problems?: string[] }[]
  usage: { completion_tokens: number; prompt_tokens: number }
  problems?: string[]
}

async function ask(model: string, messages: object[], more: object = {}): Promise<RouteResult> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, min_tokens: 3, ...more }),
  })
  return (await response.json()) as RouteResult
}

const hello = [{ role: 'user', content: 'Write a long story.' }]

describe('a served model with an mlc-chat-config.json', () => {
  test('generates at most max_gen_len tokens unless the request sets a limit', async () => {
    expect((await ask('short', hello)).usage.completion_tokens).toBe(3)
    expect((await ask('short', hello, { max_tokens: 2, min_tokens: 2 })).usage.completion_tokens).toBe(2)
  })

  test('drops the oldest messages if they exceed its window, and reports it', async () => {
    const long = Array.from({ length: 12 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: `word number ${index}` }))
    const answer = await ask('narrow', [...long, ...hello])
    expect(answer.usage.prompt_tokens).toBeLessThan(60)
    expect(JSON.stringify(answer)).toContain('left out to stay within the window of 60 tokens')
  })

  test('ignores the chat history with separator_style 1, and reports it', async () => {
    const first = await ask('lm', hello)
    const second = await ask('lm', [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello!' }, ...hello])
    expect(second.usage.prompt_tokens).toBe(first.usage.prompt_tokens)
    expect([JSON.stringify(first), JSON.stringify(second)].map((text) => text.includes('what was said before is left out'))).toEqual([
      false,
      true,
    ])
  })
})
