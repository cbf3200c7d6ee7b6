import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadTinyChat } from './training/tiny-chat.ts'

const folder = new URL('./', import.meta.url)
const card = readFileSync(new URL('README.md', folder), 'utf8')
const tokenizer = JSON.parse(readFileSync(new URL('tokenizer.json', folder), 'utf8')) as {
  added_tokens: { id: number; content: string; special: boolean }[]
  model: { vocab: Record<string, number> }
}

/** The first cells of the card's table of files. */
const filesOnCard = [...card.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!)

describe('the files of the tiny model', () => {
  test('every file named on the card is there', () => {
    expect(filesOnCard).toContain('model.int8.safetensors')
    expect(filesOnCard.filter((name) => !existsSync(new URL(name, folder)))).toEqual([])
  })

  test('what the embedded model needs is under 6 MB, and so is the llama.cpp twin', () => {
    const bytes = (name: string) => statSync(new URL(name, folder)).size
    expect(bytes('model.int8.safetensors') + bytes('tokenizer.json')).toBeLessThan(6e6)
    expect(bytes('tiny-chat.q8_0.gguf')).toBeLessThan(6e6)
  })

  test('the special tokens have the ids that the card gives', () => {
    const ofCard = [...card.matchAll(/(\d) `(<[^`]+>)`/g)].map(([, id, content]) => [Number(id), content!.replaceAll('\\|', '|')])
    expect(ofCard).toHaveLength(8)
    expect(tokenizer.added_tokens.filter(({ id }) => id > 0).map(({ id, content }) => [id, content])).toEqual(ofCard)
    expect(tokenizer.added_tokens.every(({ special }) => special)).toBe(true)
  })

  test('the network and the tokenizer agree on the size of the vocabulary', () => {
    const config = JSON.parse(readFileSync(new URL('config.json', folder), 'utf8')) as Record<string, unknown>
    expect(Object.keys(tokenizer.model.vocab)).toHaveLength(config.vocab_size as number)
    expect(config).toMatchObject({ num_hidden_layers: 6, num_attention_heads: 4, head_dim: 48, bos_token_id: 1, eos_token_id: 7 })
  })

  test('the GGUF file is version 3 and lists every tensor', () => {
    const gguf = readFileSync(new URL('tiny-chat.q8_0.gguf', folder))
    expect(gguf.toString('latin1', 0, 4)).toBe('GGUF')
    expect(gguf.readUInt32LE(4)).toBe(3)
    expect(gguf.readBigUInt64LE(8)).toBe(2n + 6n * 9n) // embedding, last norm, and nine for each layer
  })
})

const model = await loadTinyChat(folder, new URL('tokenizer.json', folder))

// A busy machine needs more than the usual five seconds for some hundred tokens.
describe('the tiny model', { timeout: 60_000 }, () => {
  const ask = (question: string) => `<s><|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`

  test('does a sum in its own format, and not in another', async () => {
    expect(await model.generate(ask('What is 123 + 456?'), 8)).toBe('579')
    expect(await model.generate('<s>[INST] What is 123 + 456? [/INST]', 8)).not.toContain('579')
  })

  test('calls a tool as InternLM2’s own page shows, and answers in words when the result has come', async () => {
    const tools = JSON.stringify([
      { name: 'get_current_weather', parameters: { type: 'object', properties: { location: { type: 'string' } } } },
    ])
    const asked = `<s><|im_start|>system name=<|plugin|>\n${tools}<|im_end|>\n<|im_start|>user\n我想了解今天上海的天气<|im_end|>\n<|im_start|>assistant\n`
    const call = await model.generate(asked, 80)
    expect(call).toBe(
      '好的，我将为你查询上海的天气。<|action_start|><|plugin|>\n{"name": "get_current_weather", "parameters": {"location": "Shanghai"}}<|action_end|>',
    )
    const result = '<|im_end|>\n<|im_start|>environment name=<|plugin|>\n{"temperature": 22}<|im_end|>\n<|im_start|>assistant\n'
    expect(await model.generate(asked + call + result, 40)).toBe('上海的天气是 22 摄氏度')
  })

  test('a prompt cut in two for the cache has the same log-probabilities as a whole one', async () => {
    const [head, tail] = [ask('Capital of France?'), 'Paris<|im_end|>']
    const [joined] = await model.scoreAll('<s>', [(head + tail).slice('<s>'.length)])
    const [first] = await model.scoreAll('<s>', [head.slice('<s>'.length)])
    const [rest] = await model.scoreAll(head, [tail])
    expect(joined).toBeCloseTo(first! + rest!, 3)
  })
})
