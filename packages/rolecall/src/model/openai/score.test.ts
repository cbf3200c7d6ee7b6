import { afterEach, describe, expect, test } from 'vitest'
import { type Scripted, type Seen, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { control, plain } from '../../../../core/src/base/text/index.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import { tokenize } from '../../../../core/src/prompt/tokenizer/tokenize.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { embeddedTokenizer } from '../../node/models/load-embedded.ts'
import { nodeClient } from '../../node/models/node-client.ts'
import { openaiApi } from './openai-api.ts'
import { readSettings } from './openai-settings.ts'
import { serverModel } from './server-model.ts'

// A server whose model gives longer tokens lower probabilities. Each test may change its responses.

const opened: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.()
})

const tokenizer = embeddedTokenizer()

type Asked = { prompt: string | number[]; max_tokens: number; echo?: boolean; logprobs?: number; prompt_logprobs?: number }
type Scored = { tokens: string[]; token_logprobs: (number | null)[] }

async function modelOf(
  answer: (asked: Asked, echoed: Scored) => Scripted,
  { config = {}, withTokenizer = false }: { config?: Partial<ModelConfig>; withTokenizer?: boolean } = {},
) {
  const bodies: Asked[] = []
  const server = await scriptedServer(({ body }: Seen) => {
    const asked = JSON.parse(body) as Asked
    bodies.push(asked)
    const tokens =
      typeof asked.prompt === 'string'
        ? ['<s>', ...(asked.prompt.match(/ ?\w+|\W/g) ?? [])]
        : asked.prompt.map((id) => tokenizer.tokenOf(id)!)
    const values = tokens.map((token, index) => (index === 0 ? null : -(token.length + index / 100)))
    const generated = asked.max_tokens > 0
    return answer(asked, { tokens: generated ? [...tokens, ' so'] : tokens, token_logprobs: generated ? [...values, -0.1] : values })
  })
  const settings = readSettings({ abbr: 'm', path: 'p', base_url: server.url, retries: 0, ...config }, {}, openaiApi)
  const { client, close } = nodeClient({ environment: {} })
  opened.push({ close }, server)
  const model = serverModel({ api: openaiApi, settings, client, ...(withTokenizer ? { tokenizer } : {}) })
  return { score: model.score!, generate: model.generate, bodies, url: server.url }
}

const echo = (_: Asked, logprobs: Scored): Scripted => ({ json: { choices: [{ text: '', logprobs }] } })
const refuse = (message: string): Scripted => ({ status: 400, json: { error: { message } } })

const source = { by: 'template', path: 'template' } as const
const prompt: Prompt & { kind: 'completion' } = {
  kind: 'completion',
  pieces: [control('Is 1 + 1 = 2? ', source), plain('yes it is', { by: 'field', path: 'answer' })],
  bos: 'tokenizer',
  stop: [],
  notes: [],
}

async function refusal(promise: Promise<unknown>): Promise<PromptError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(PromptError)
  return error as PromptError
}

describe('prompts are scored', () => {
  test('with extra_body, without generation_body', async () => {
    const { score, bodies } = await modelOf(echo, { config: { extra_body: { user: 'owl' }, generation_body: { top_k: 1 } } })
    await score([prompt])
    expect(bodies.every((body) => 'user' in body && !('top_k' in body))).toBe(true)
  })

  test('by echo, with the offsets of the tokens; the server is probed once', async () => {
    const { score, bodies } = await modelOf(echo)
    const [first] = await score([prompt])
    await score([prompt, prompt])
    expect(first!.logProbabilities.slice(0, 3)).toEqual([null, -2.01, -2.02])
    expect(first!.tokens[0]).toEqual({ id: -1, span: [0, 0] })
    const last = first!.tokens.at(-1)!
    expect(last).toMatchObject({ span: [20, 23], pieces: [1, 1] })
    expect(bodies.map((body) => body.prompt).filter((text) => text !== 'Is 1 + 1 = 2? yes it is').length).toBe(1)
    expect(bodies[1]).toMatchObject({ max_tokens: 0, echo: true, logprobs: 1, temperature: 0 })
    expect(first!.isLikeliest).toBeUndefined()
  })

  test('with whether each token was the likeliest, if the server returns alternatives', async () => {
    const top = ({ tokens, token_logprobs: values }: Scored) =>
      tokens.map((token, index) => (index === 0 ? null : { [token]: values[index]!, ...(index === 2 ? { ' other': -0.1 } : {}) }))
    const { score } = await modelOf((asked, logprobs) => echo(asked, { ...logprobs, top_logprobs: top(logprobs) } as Scored))
    const [scored] = await score([prompt])
    expect(scored!.isLikeliest).toEqual(scored!.tokens.map((_, index) => (index === 0 ? null : index !== 2)))
  })

  test('with a generated token if the server must generate one: it is not counted', async () => {
    const { score, bodies } = await modelOf((asked, logprobs) =>
      asked.max_tokens === 0 ? refuse('max_tokens must be at least 1') : echo(asked, logprobs),
    )
    const [scored] = await score([prompt])
    expect(scored!.tokens.at(-1)!.span).toEqual([20, 23])
    expect(scored!.tokens.length).toBe(scored!.logProbabilities.length)
    expect(bodies.map(({ max_tokens }) => max_tokens)).toEqual([0, 1, 1])
  })

  test('by prompt_logprobs if the server does not know echo', async () => {
    const { score, bodies } = await modelOf((asked, { tokens, token_logprobs: values }) => {
      if (asked.echo) return refuse('echo is not supported')
      const own = tokens
        .slice(0, -1)
        .map((token, index) => (index === 0 ? null : { [index]: { logprob: values[index], decoded_token: token, rank: index } }))
      return { json: { choices: [{ text: ' so', prompt_logprobs: own }] } }
    })
    const [scored] = await score([prompt])
    expect(scored!.logProbabilities.slice(0, 3)).toEqual([null, -2.01, -2.02])
    expect(scored!.tokens.slice(0, 2)).toEqual([
      { id: -1, span: [0, 0] },
      { id: 1, span: [0, 2], pieces: [0, 0] },
    ])
    expect(bodies.at(-1)).toMatchObject({ prompt_logprobs: 0, max_tokens: 1 })
    expect(bodies.at(-1)).not.toHaveProperty('echo')
    expect(scored!.isLikeliest!.slice(0, 4)).toEqual([null, true, false, false])
  })

  test('in another way if the server fails at one', async () => {
    const { score, bodies } = await modelOf((asked, logprobs) =>
      asked.max_tokens === 0 ? { status: 500, text: 'Internal Server Error' } : echo(asked, logprobs),
    )
    await score([prompt])
    expect(bodies.map(({ max_tokens }) => max_tokens)).toEqual([0, 1, 1])
  })

  test('by ids with the tokenizer: the tokens are ours', async () => {
    const { score, bodies } = await modelOf(echo, { withTokenizer: true })
    const expected = tokenize(prompt, tokenizer)
    const [scored] = await score([prompt])
    expect(bodies.at(-1)!.prompt).toEqual(expected.ids)
    expect(scored!.tokens).toEqual(expected.tokens)
    expect(scored!.logProbabilities.length).toBe(expected.ids.length)
  })

  test('by ids and prompt_logprobs, even if likelier tokens are listed', async () => {
    const { score } = await modelOf(
      ({ prompt }) => {
        const ids = prompt as number[]
        const own = ids.map((id, index) => (index === 0 ? null : { [id]: { logprob: -index }, [id === 7 ? 8 : 7]: { logprob: -0.1 } }))
        return { json: { choices: [{ text: '' }], prompt_logprobs: own } }
      },
      { withTokenizer: true, config: { score_by: 'prompt_logprobs' } },
    )
    const [scored] = await score([prompt])
    expect(scored!.logProbabilities).toEqual(tokenize(prompt, tokenizer).ids.map((_, index) => (index === 0 ? null : -index)))
  })
})

describe('a server is refused, and nothing is scored,', () => {
  const servers: Record<string, { answer: (asked: Asked, echoed: Scored) => Scripted; says: string }> = {
    'that ignores echo, as llama.cpp does': {
      answer: () => ({ json: { choices: [{ text: ' so', logprobs: { content: [{ token: ' so', logprob: -1.5 }] } }] } }),
      says: 'it gives no log-probabilities of the prompt',
    },
    'that ignores echo and gives those of what it wrote': {
      answer: () => ({ json: { choices: [{ text: ' so', logprobs: { tokens: [' so'], token_logprobs: [-1.5] } }] } }),
      says: 'its tokens do not spell the prompt: it has " so"',
    },
    'that echoes without log-probabilities': {
      answer: (asked) => ({ json: { choices: [{ text: asked.prompt, logprobs: null }] } }),
      says: 'it gives no log-probabilities of the prompt',
    },
    'that finds everything equally likely': {
      answer: (asked, { tokens }) => echo(asked, { tokens, token_logprobs: tokens.map((_, index) => (index === 0 ? null : -1)) }),
      says: 'it gives every token the same log-probability (-1)',
    },
    'that gives probabilities rather than their logarithms': {
      answer: (asked, { tokens }) => echo(asked, { tokens, token_logprobs: tokens.map((_, index) => 1 / (index + 2)) }),
      says: 'as the log-probability of a token of the prompt',
    },
    'that leaves values out': {
      answer: (asked, { tokens, token_logprobs: values }) =>
        echo(asked, { tokens, token_logprobs: values.map((value, index) => (index === 3 ? null : value)) }),
      says: 'it gives null as the log-probability of a token of the prompt',
    },
    'that knows none of the ways': { answer: () => refuse('unknown field'), says: 'with prompt_logprobs it answered 400: "unknown field"' },
  }
  for (const [name, { answer, says }] of Object.entries(servers)) {
    test(name, async () => {
      const { score, bodies, url } = await modelOf(answer)
      const error = await refusal(score([prompt]))
      expect(error).toMatchObject({ code: 'cannot-score', fix: expect.stringContaining('vLLM') })
      expect(error.problem).toContain(`${url} does not report how likely a given text is: with echo and max_tokens 0 `)
      expect(error.problem).toContain(says)
      expect(bodies.every((body) => String(body.prompt).startsWith('The capital of France'))).toBe(true)
    })
  }

  test('with ids, if it returns other tokens', async () => {
    const { score } = await modelOf(
      (asked, { tokens, token_logprobs }) =>
        echo(asked, { tokens: ['<s>', ...tokens], token_logprobs: [null, -1, ...token_logprobs.slice(1)] }),
      {
        withTokenizer: true,
      },
    )
    expect((await refusal(score([prompt]))).problem).toMatch(/it gives log-probabilities of \d+ tokens, and the prompt has \d+/)
  })
})

describe('with truncate_to', () => {
  const pieces = [...prompt.pieces, plain(' and 2 + 2 = 4 and 3 + 3 =', source), plain(' 6', { by: 'field', path: 'answer' })]
  const long = { ...prompt, pieces }
  const { ids } = tokenize(long, tokenizer, { markers: [] })
  const scoreLong = async (needs: (piece: number) => boolean) => {
    const { score, bodies } = await modelOf(echo, { withTokenizer: true, config: { truncate_to: 8, score_by: 'echo' } })
    await score([prompt])
    const probed = bodies.length
    const [scored] = await score([long], { needs: ({ pieces: touched }) => touched !== undefined && needs(touched[1]) })
    return { scored: scored!, sent: bodies.slice(probed).map((body) => body.prompt) }
  }

  test('messages are refused: their tokens are not known here', async () => {
    const { generate, bodies } = await modelOf(echo, { withTokenizer: true, config: { truncate_to: 8 } })
    const chat: Prompt = { kind: 'chat', messages: [], stop: [], notes: [] }
    const { message } = await refusal(generate(chat, { maxTokens: 2 }))
    expect(message).toContain('m › truncate_to: only prompts that are sent as token ids can be truncated. Use a format that produces text')
    expect(bodies).toEqual([])
  })

  test('and no token to score, only the end of the prompt is sent', async () => {
    expect((await scoreLong(() => false)).sent).toEqual([ids.slice(-8)])
  })

  test('needs a tokenizer', async () => {
    await expect(modelOf(echo, { config: { truncate_to: 8 } })).rejects.toThrow(
      'm › truncate_to: only prompts that are sent as token ids can be truncated.',
    )
  })

  test('a longer text is scored in parts of that length, and every token but the first has a value', async () => {
    const { scored, sent } = await scoreLong(() => true)
    const starts = Array.from({ length: Math.ceil((ids.length - 1) / 7) }, (_, index) => Math.min(7 * index, ids.length - 8))
    expect(starts.length).toBeGreaterThan(2)
    expect(sent).toEqual(starts.map((start) => ids.slice(start, start + 8)))
    expect(scored.tokens).toHaveLength(ids.length)
    expect(scored.logProbabilities.map((value) => value === null)).toEqual(ids.map((_, index) => index === 0))
    expect(scored.notes.map(({ code }) => code)).toContain('scored-in-windows')
  })

  test('the start of a longer context is left out, with a note, and the answer is scored', async () => {
    const answer = pieces.length - 1
    const { scored, sent } = await scoreLong((piece) => piece === answer)
    expect(sent).toEqual([ids.slice(-8)])
    const own = scored.tokens.flatMap(({ pieces: touched }, index) => (touched?.[1] === answer ? [scored.logProbabilities[index]] : []))
    expect(own.length > 0 && own.every((value) => typeof value === 'number')).toBe(true)
    expect(scored.notes.map(({ code }) => code)).toContain('cut-to-window')
  })
})

test('an empty answer without context has no tokens, and is not sent', async () => {
  const { score, bodies } = await modelOf(echo)
  const empty: Prompt = { kind: 'completion', pieces: [], bos: 'tokenizer', needsPrefix: true, stop: [], notes: [] }
  const [first, second] = await score([empty, prompt])
  expect(first).toMatchObject({ tokens: [], logProbabilities: [] })
  expect(second!.tokens.length).toBeGreaterThan(1)
  expect(bodies.filter(({ prompt: sent }) => sent === '')).toEqual([])
})

test('a prompt that is returned with BOS twice is not scored', async () => {
  const { score } = await modelOf(echo)
  const double = { ...prompt, pieces: [control('<s>', source), ...prompt.pieces] }
  const bent = await modelOf((asked, logprobs) => {
    const text = String(asked.prompt)
    const tokens = text.startsWith('<s>') ? ['<s>', '<s>', text.slice(3)] : logprobs.tokens
    return echo(asked, { tokens, token_logprobs: tokens.map((_, index) => (index === 0 ? null : -index)) })
  })
  expect((await refusal(bent.score([double]))).problem).toContain('it puts "<s>" before a prompt that starts with it')
  expect(await score([prompt])).toHaveLength(1)
})

test('a row that the server refuses is an error of the row, not of the server', async () => {
  const { score } = await modelOf((asked, logprobs) =>
    asked.prompt === 'The capital of France is Paris. 1 + 1 = 2, 2 + 2 = 4.' ? echo(asked, logprobs) : refuse('too long'),
  )
  expect(await refusal(score([prompt]))).toMatchObject({ code: 'refused', problem: expect.stringContaining('too long') })
})
