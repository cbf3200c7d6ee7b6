import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import type { Listening } from '../listen.ts'
import { serve } from '../serve-models.ts'

// The official client against a real port with the embedded model.

let server: Listening
let client: OpenAI

beforeAll(async () => {
  server = await serve({ models: [{ type: 'embedded', format: 'internlm2' }] })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
}, 60_000)

afterAll(() => server.close())

const sum = '<s><|im_start|>user\n12 + 34 = ?<|im_end|>\n<|im_start|>assistant\n'

async function complete(body: Record<string, unknown>) {
  const params = { model: 'tiny-chat', temperature: 0, ...body } as unknown as OpenAI.CompletionCreateParamsNonStreaming
  return client.completions.create(params)
}

test('models are listed', async () => {
  const { data } = await client.models.list()
  expect(data).toMatchObject([{ id: 'tiny-chat', object: 'model', max_model_len: 1024 }])
  expect(await client.models.retrieve('tiny-chat')).toMatchObject({ id: 'tiny-chat' })
})

describe('a prompt', () => {
  test('as text is answered; special tokens in it are recognised', async () => {
    const { choices, usage, object } = await complete({ prompt: sum })
    expect(object).toBe('text_completion')
    expect(choices).toMatchObject([{ index: 0, text: '46', finish_reason: 'stop', logprobs: null }])
    expect(usage).toMatchObject({ completion_tokens: 2, total_tokens: usage!.prompt_tokens + 2 })
  })

  test('as token ids gives the same reply', async () => {
    const { tokenizer } = await loadEmbedded()
    const asText = await complete({ prompt: sum, echo: true, logprobs: 0, return_token_ids: true })
    const ids = (asText.choices[0] as unknown as { prompt_token_ids: number[] }).prompt_token_ids
    expect(ids[0]).toBe(tokenizer!.bos)
    const asIds = await complete({ prompt: ids, echo: true, logprobs: 0 })
    expect(asIds.choices[0]).toMatchObject({ text: `${sum}46`, logprobs: asText.choices[0]!.logprobs })
  })

  test('can be one of several, with several replies each', async () => {
    const { choices, usage } = await complete({ prompt: [sum, 'Hi'], n: 2, max_tokens: 2 })
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3])
    expect(choices.slice(0, 2).map(({ text }) => text)).toEqual(['46', '46'])
    expect(usage!.prompt_tokens).toBeLessThan(40)
  })

  test('gives the same text when streamed, with usage at the end if requested', async () => {
    const stream = await client.completions.create({
      model: 'tiny-chat',
      prompt: sum,
      temperature: 0,
      echo: true,
      logprobs: 1,
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    const finishes: unknown[] = []
    const tokens: string[] = []
    let usage: unknown
    for await (const chunk of stream) {
      for (const choice of chunk.choices) {
        text += choice.text
        if (choice.finish_reason) finishes.push(choice.finish_reason)
        tokens.push(...(choice.logprobs?.tokens ?? []))
      }
      usage = chunk.usage ?? usage
    }
    const whole = await complete({ prompt: sum, echo: true, logprobs: 1 })
    expect({ text, finishes, tokens }).toEqual({ text: `${sum}46`, finishes: ['stop'], tokens: whole.choices[0]!.logprobs!.tokens })
    expect(usage).toMatchObject({ completion_tokens: 2 })
  })
})

describe('log-probabilities', () => {
  test('of a prompt equal those of the embedded model to 1e-6', async () => {
    const text = `${sum}46<|im_end|>`
    const model = await loadEmbedded()
    const prompt = { kind: 'completion' as const, pieces: [{ text, control: true, source: { by: 'message' as const, path: 'prompt' } }] }
    const [scored] = await model.score!([{ ...prompt, bos: 'tokenizer', stop: [], notes: [] }])
    const { choices } = await complete({ prompt: text, echo: true, logprobs: 0, max_tokens: 0 })
    const { token_logprobs: served, tokens, text_offset: offsets } = choices[0]!.logprobs!
    expect(choices[0]!.text).toBe(text)
    expect(served!.length).toBe(scored!.logProbabilities.length)
    scored!.logProbabilities.forEach((value, index) => {
      if (value === null) expect(served![index]).toBeNull()
      else expect(Math.abs(served![index]! - value)).toBeLessThan(1e-6)
    })
    expect(tokens!.join('')).toBe(text)
    offsets!.forEach((offset, index) => void expect(text.slice(offset).startsWith(tokens![index]!)).toBe(true))
  })

  test('include the most likely tokens of prompt and reply', async () => {
    const { choices } = await complete({ prompt: sum, echo: true, logprobs: 3, max_tokens: 1 })
    const { top_logprobs: top, token_logprobs: chosen, tokens } = choices[0]!.logprobs!
    expect(top![0]).toBeNull()
    for (let at = 1; at < top!.length; at++) {
      const values = Object.values(top![at]!)
      expect(values.length).toBeGreaterThanOrEqual(3)
      expect(top![at]![tokens![at]!]).toBeCloseTo(chosen![at]!, 5)
    }
    expect(Math.max(...Object.values(top!.at(-1)!))).toBeCloseTo(chosen!.at(-1)!, 5)
  })

  test("are also available in vLLM's shape", async () => {
    const { choices } = await complete({ prompt: '<s>1 + 1', prompt_logprobs: 1, max_tokens: 1 })
    const logprobs = (choices[0] as unknown as { prompt_logprobs: (Record<string, { logprob: number; decoded_token: string }> | null)[] })
      .prompt_logprobs
    expect(logprobs[0]).toBeNull()
    expect(Object.values(logprobs[1]!)).toContainEqual(expect.objectContaining({ logprob: expect.any(Number), decoded_token: '1' }))
  })
})

test('stops can be texts and token ids', async () => {
  const { choices } = await complete({ prompt: sum, stop: ['6'] })
  expect(choices[0]).toMatchObject({ text: '4', finish_reason: 'stop' })
  const { tokenizer } = await loadEmbedded()
  const { choices: byId } = await complete({ prompt: sum, stop_token_ids: [tokenizer!.idOf('6')] })
  expect(byId[0]).toMatchObject({ text: '4', finish_reason: 'stop' })
})

test('the same seed gives the same reply', async () => {
  const ask = async (seed: number) => (await complete({ prompt: '<s>', temperature: 2, seed, max_tokens: 8 })).choices[0]!.text
  expect(await ask(1)).toBe(await ask(1))
  expect(await ask(1)).not.toBe(await ask(2))
})

test('without a seed replies differ', async () => {
  const ask = async () => (await complete({ prompt: '<s>', temperature: 3, max_tokens: 8 })).choices[0]!.text
  expect(new Set([await ask(), await ask(), await ask()]).size).toBeGreaterThan(1)
})

test('chat and completions share their sampling fields', () => {
  const prepared = compileChat('internlm2').prepare()
  expect(prepared.text({ messages: [{ role: 'user', content: '12 + 34 = ?' }] })).toBe(sum)
})

describe('an invalid request', () => {
  const wrong: [string, Record<string, unknown>, number, string | null][] = [
    ['names an unknown model', { model: 'gpt-4', prompt: 'Hi' }, 404, 'model'],
    ['has no prompt', {}, 400, 'prompt'],
    ['has a prompt of the wrong type', { prompt: { text: 'Hi' } }, 400, 'prompt'],
    ['has unknown token ids', { prompt: [1, 99_999] }, 400, 'prompt'],
    ['has a wrong temperature', { prompt: 'Hi', temperature: 'hot' }, 400, 'temperature'],
    ['has an unsupported field that would change the reply', { prompt: 'Hi', logit_bias: { 5: 10 } }, 400, 'logit_bias'],
    ['is longer than the context', { prompt: 'one '.repeat(2000) }, 400, null],
  ]
  for (const [name, body, status, param] of wrong) {
    test(`is rejected: it ${name}`, async () => {
      const error = await complete(body).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ status, param, error: { message: expect.any(String), type: 'invalid_request_error' } })
    })
  }
})
