import { scriptedServer } from '../scripted-server.ts'

/** Most extractions find an answer in it. */
const reply = '{"answer": "A"}'

/** A server with made-up replies, log-probabilities and embeddings. */
export function madeUpServer() {
  return scriptedServer(({ body, path }) => {
    if (path.endsWith('/models')) return { json: { data: [{ id: 'any' }] } }
    const asked = JSON.parse(body || '{}') as { prompt?: string; echo?: boolean; messages?: unknown; input?: unknown[] }
    const { prompt = '', echo, messages, input } = asked
    if (input !== undefined) return { json: { data: input.map((_, index) => ({ index, embedding: [1, index] })) } }
    const usage = { prompt_tokens: 1, completion_tokens: 1 }
    if (messages !== undefined) return { json: { choices: [{ message: { content: reply }, finish_reason: 'stop' }], usage } }
    return {
      json: { choices: [{ text: echo ? prompt : reply, finish_reason: 'stop', ...(echo ? { logprobs: logprobsOf(prompt) } : {}) }], usage },
    }
  })
}

function logprobsOf(prompt: string): object {
  const tokens = prompt.match(/\s*\S+|\s+$/g) ?? [prompt]
  let at = 0
  const offsets = tokens.map((token) => {
    at += token.length
    return at - token.length
  })
  const values = tokens.map((token, index) => (index === 0 ? null : -1 - (token.length % 7) / 10 - index / 1000))
  return {
    tokens,
    text_offset: offsets,
    token_logprobs: values,
    top_logprobs: tokens.map((token, index) => (index === 0 ? null : { [token]: values[index]! })),
  }
}
