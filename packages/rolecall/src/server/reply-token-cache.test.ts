import { beforeAll, expect, test } from 'vitest'
import type { Prompt } from '../../../core/src/prompt/format/format.ts'
import { tokenize } from '../../../core/src/prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../../../core/src/prompt/tokenizer/tokenizer.ts'
import type { LanguageModel } from '../model/language-model/language-model.ts'
import { loadEmbedded } from '../node/models/load-embedded.ts'
import { createApp } from './create-app.ts'

let tokenizer: Tokenizer

beforeAll(async () => {
  tokenizer = (await loadEmbedded()).tokenizer!
})

const letters = (text: string) => Array.from(text, (letter) => tokenizer.idOf(letter)!)

/** Generates "hello" letter by letter; the tokenizer would encode it in fewer tokens. */
function speller(finish: 'stop' | 'length' = 'stop') {
  const prompts: number[][] = []
  const model: LanguageModel = {
    name: 'speller',
    tokenizer,
    async generate(prompt) {
      prompts.push(tokenize(prompt as Prompt & { kind: 'completion' }, tokenizer).ids)
      return { text: 'hello', ids: letters('hello'), finish, tokens: { prompt: prompts.at(-1)!.length, reused: 0, reply: 5 }, notes: [] }
    },
  }
  const app = createApp({ models: [{ model, config: { format: 'internlm2' } }] })
  const post = async (route: string, body: object) => {
    const headers = { 'content-type': 'application/json', host: 'localhost' }
    const response = await app.request(route, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'speller', max_tokens: 9, ...body }),
    })
    expect(response.status).toBe(200)
    return response.json()
  }
  return { prompts, post }
}

const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })

test('a continued chat contains the sampled ids of every reply, in all protocols', async () => {
  const { prompts, post } = speller()
  await post('/v1/chat/completions', { messages: [user('Hi')] })
  await post('/v1/messages', { messages: [user('Hi'), assistant('hello'), user('Again')] })
  await post('/v1/responses', { input: [user('Hi'), assistant('hello'), user('Again'), assistant('hello'), user('Bye')] })
  const [first, second, third] = prompts
  expect(second!.slice(0, first!.length + 5)).toEqual([...first!, ...letters('hello')])
  expect(third!.slice(0, second!.length + 5)).toEqual([...second!, ...letters('hello')])
})

test('a truncated reply gets the end-of-turn token', async () => {
  const { prompts, post } = speller('length')
  await post('/v1/chat/completions', { messages: [user('Hi')] })
  await post('/v1/chat/completions', { messages: [user('Hi'), assistant('hello'), user('Again')] })
  const [first, second] = prompts
  expect(second![first!.length + 5]).toBe(tokenizer.idOf('<|im_end|>'))
})

test('text that the model did not generate there is encoded as usual', async () => {
  const { prompts, post } = speller()
  await post('/v1/chat/completions', { messages: [user('Hi')] })
  await post('/v1/chat/completions', { messages: [user('Other'), assistant('hello'), user('Again')] })
  await post('/v1/chat/completions', { messages: [user('Hi'), assistant('hello!'), user('Again')] })
  const spelled = letters('hello').join(',')
  expect(prompts[1]!.join(',')).not.toContain(spelled)
  expect(prompts[2]!.join(',')).not.toContain(spelled)
})
