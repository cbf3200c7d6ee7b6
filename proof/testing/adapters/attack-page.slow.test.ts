import { readFileSync } from 'node:fs'
import { defineModel, openServer } from 'rolecall'
import { describe, expect, test } from 'vitest'
import { rolecall } from '../../../packages/adapters/src/ai-sdk.ts'
import { type ChatTokenizer, safeApplyChatTemplate } from '../../../packages/adapters/src/transformers.ts'
import { readTokenizer } from '../../../packages/core/src/index.ts'
import { importPeer } from '../../../packages/rolecall/src/node/find-peer.ts'
import { vocabularyFile } from '../on-demand.ts'
import { missingPeers } from './consumer.ts'
import { openTokenizers } from './open-tokenizers.ts'

// The attacks of docs/attack.md on the published packages: the page has the numbers that come out here.

const missing = [
  ...missingPeers('ai', '@ai-sdk/openai', '@huggingface/transformers'),
  ...(vocabularyFile('qwen3', 'tokenizer.json') ? [] : ['qwen3']),
]
if (missing.length > 0)
  console.warn(`skipped: attacks on ${missing.join(', ')}; scripts/install-peers.sh .cache/peers --vocabularies --clients installs them`)

type Message = { role: string; content: string }
type Tokenizer = ChatTokenizer<{ data: BigInt64Array }> & {
  apply_chat_template(messages: readonly Message[], options: object): readonly number[]
}
type AiSdk = { generateText(ask: object): Promise<unknown> }

const page = readFileSync(new URL('../../../docs/attack.md', import.meta.url), 'utf8')
const [special = '', words = ''] = [...page.matchAll(/```text\n([\s\S]*?)\n```/g)].map(([, text]) => text)
const rows = [...page.matchAll(/^\| (.*?) \| (\d+) \| (\d+) \|$/gm)].map(
  ([, name, harmless, attack]) => [name, Number(harmless), Number(attack)] as const,
)
const said = (content: string) => [{ role: 'user', content }]
const start = 151644

describe.skipIf(missing.length > 0)('docs/attack.md (needs install-peers.sh --clients)', () => {
  test('transformers.js: a user who types special tokens adds a turn', async () => {
    const { qwen3 } = (await openTokenizers(['qwen3'])) as { qwen3: Tokenizer }
    const turns = (text: string) =>
      qwen3
        .apply_chat_template(said(text), { add_generation_prompt: true, return_tensor: false, return_dict: false })
        .filter((id) => Number(id) === start).length
    expect(rows[0]).toEqual([expect.stringContaining('transformers.js'), turns('Hi'), turns(special)])
  })

  test("the AI SDK's own text for completions servers: a user who types words adds a turn", async () => {
    const { createOpenAI } = (await importPeer('@ai-sdk/openai')) as {
      createOpenAI(options: object): { completion(name: string): unknown }
    }
    const turns = async (text: string) => {
      const prompt = await sentTo(
        (fetch) => createOpenAI({ baseURL: 'http://127.0.0.1:1/v1', apiKey: 'none', fetch }).completion('m'),
        text,
      )
      return String(prompt).match(/^(?:user|assistant):$/gm)?.length
    }
    expect(rows[1]).toEqual([expect.stringContaining('AI SDK'), await turns('Hi'), await turns(words)])
  })

  test('Rolecall: neither does, in transformers.js and in the AI SDK', async () => {
    const { qwen3 } = (await openTokenizers(['qwen3'])) as { qwen3: Tokenizer }
    const here = (text: string) => [...safeApplyChatTemplate(qwen3, said(text)).input_ids.data].filter((id) => Number(id) === start).length
    const read = (file: 'tokenizer.json' | 'tokenizer_config.json') => JSON.parse(readFileSync(vocabularyFile('qwen3', file) ?? '', 'utf8'))
    const config = read('tokenizer_config.json')
    const model = defineModel({ chatTemplate: config.chat_template, tokenizer: readTokenizer(read('tokenizer.json'), { config }) })
    const inSdk = async (text: string) => {
      const prompt = await sentTo((fetch) => rolecall(openServer(model, { baseURL: 'http://127.0.0.1:1/v1', fetch })), text)
      return (prompt as number[]).filter((id) => id === start).length
    }
    for (const attack of [special, words]) {
      expect(rows[2]).toEqual([expect.stringContaining('Rolecall'), here('Hi'), here(attack)])
      expect([await inSdk('Hi'), await inSdk(attack)]).toEqual(rows[2]?.slice(1))
    }
  })
})

/** The prompt that a model of the AI SDK sends to its server. */
async function sentTo(modelWith: (fetch: typeof globalThis.fetch) => unknown, content: string): Promise<unknown> {
  let prompt: unknown
  const fetch = async (_: unknown, init?: RequestInit) => {
    ;({ prompt } = JSON.parse(String(init?.body)))
    const choices = [{ text: 'Hi', index: 0, finish_reason: 'stop', logprobs: null }]
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    return new Response(JSON.stringify({ id: 'x', created: 1, model: 'm', choices, usage }), {
      headers: { 'content-type': 'application/json' },
    })
  }
  const { generateText } = (await importPeer('ai')) as AiSdk
  await generateText({ model: modelWith(fetch as typeof globalThis.fetch), messages: said(content), maxRetries: 0 })
  // A prompt may be sent as a list of prompts.
  return Array.isArray(prompt) && Array.isArray(prompt[0]) ? prompt[0] : prompt
}
