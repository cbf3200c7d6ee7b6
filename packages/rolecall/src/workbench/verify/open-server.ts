import type { Chat, ChatMessage, ChatToolCall } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Answered, ServerRequests } from './server-requests.ts'
import type { ServerPrompt, VerifiedServer } from './verified-server.ts'

type Json = Readonly<Record<string, unknown>>

/** Identifies a server by what it reports, and how to query it. */
export async function openServer(requests: ServerRequests): Promise<VerifiedServer> {
  const models = await requests.get('/v1/models')
  const first = firstModel(models)
  const owner = String(first.owned_by ?? '').toLowerCase()
  const model = typeof first.id === 'string' ? first.id : undefined
  if (owner === 'rolecall') return rolecallServer(requests, model)
  if (owner === 'vllm') return vllmServer(requests, model, first)
  if (owner === 'sglang') return sglangServer(requests, model)
  const props = await requests.get('/props')
  if ('json' in props && typeof (props.json as Json | null)?.chat_template === 'string')
    return llamaServer(requests, model, props.json as Json)
  throw new PromptError('unknown-server', {
    where: requests.root,
    problem: `the server does not show how it renders chats (${'problem' in models ? models.problem : `its models are owned by "${owner}"`}; /props: ${'problem' in props ? props.problem : 'no chat_template'})`,
    fix: 'give the address of a llama.cpp, vLLM, SGLang or Rolecall server, without a path or with /v1',
  })
}

function firstModel(models: Answered): Json {
  if (models.status === 401 || models.status === 403)
    throw new PromptError('no-access', {
      where: '/v1/models',
      problem: 'problem' in models ? models.problem : 'the server denies access',
      fix: 'set OPENAI_API_KEY, or name another variable with --key-env',
    })
  const data = 'json' in models ? (models.json as { data?: unknown } | null)?.data : undefined
  return (Array.isArray(data) ? ((data[0] as Json | undefined) ?? {}) : {}) as Json
}

/** Reads a reply's JSON, or the server's error. */
function shown(answer: Answered, read: (json: Json) => ServerPrompt | undefined): ServerPrompt {
  if ('problem' in answer) return { refused: answer.problem }
  return read((answer.json ?? {}) as Json) ?? { refused: 'its reply has an unexpected shape' }
}

function idsIn(value: unknown): number[] | undefined {
  return Array.isArray(value) && value.every((id) => typeof id === 'number') ? value : undefined
}

function llamaServer(requests: ServerRequests, model: string | undefined, props: Json): VerifiedServer {
  const tokens = Object.fromEntries(
    ['bos_token', 'eos_token'].flatMap((name) => (typeof props[name] === 'string' ? [[name, props[name] as string]] : [])),
  )
  const encode = async (text: string, recognises: boolean, addSpecial = false) => {
    const answer = await requests.post('/tokenize', { content: text, add_special: addSpecial, parse_special: recognises })
    return 'json' in answer ? idsIn((answer.json as Json | null)?.tokens) : undefined
  }
  return {
    kind: 'llama.cpp',
    engine: 'llama.cpp',
    ...(typeof props.build_info === 'string' ? { version: props.build_info } : {}),
    ...(model === undefined ? {} : { model }),
    template: props.chat_template as string,
    specialTokens: tokens,
    ...(typeof props.model_path === 'string' ? { path: props.model_path } : {}),
    requestsPerChat: 2,
    async show(chat, switches) {
      const answer = await requests.post('/apply-template', { ...asRequest(chat), ...kwargs(switches) })
      const written = shown(answer, ({ prompt }) => (typeof prompt === 'string' ? { text: prompt } : undefined))
      if ('refused' in written) return written
      // As for a chat prompt: with BOS if the model has it, and control tokens recognised everywhere.
      const ids = await encode(written.text!, true, true)
      return { ...written, ...(ids && { ids }) }
    },
    encode: (text, recognises) => encode(text, recognises),
    limits: [],
  }
}

function vllmServer(requests: ServerRequests, model: string | undefined, first: Json): VerifiedServer {
  const named = model === undefined ? {} : { model }
  return {
    kind: 'vLLM',
    engine: 'vllm',
    ...named,
    ...(typeof first.root === 'string' ? { path: first.root } : {}),
    requestsPerChat: 2,
    async show(chat, switches) {
      const body = { ...named, ...asRequest(chat), add_generation_prompt: true, ...kwargs(switches) }
      const answer = await requests.post('/tokenize', body)
      const found = shown(answer, ({ tokens }) => (idsIn(tokens) ? { ids: idsIn(tokens)! } : undefined))
      if ('refused' in found) return found
      const text = await requests.post('/detokenize', { ...named, tokens: found.ids })
      const prompt = 'json' in text ? (text.json as Json | null)?.prompt : undefined
      return { ...found, ...(typeof prompt === 'string' ? { text: prompt } : {}) }
    },
    async seen(chat) {
      const body = { ...named, ...asRequest(chat), max_tokens: 1, temperature: 0, return_token_ids: true, prompt_logprobs: 0 }
      const answer = await requests.post('/v1/chat/completions', body)
      const json = 'json' in answer ? (answer.json as Json | null) : undefined
      return idsIn(json?.prompt_token_ids) ?? idsOfLogprobs(json?.prompt_logprobs)
    },
    limits: ['the text is decoded from its ids, so bytes are compared only as far as its tokenizer preserves them'],
  }
}

/** The ids in vLLM's prompt log probabilities: the first listed for every position but the first. */
function idsOfLogprobs(given: unknown): number[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  const ids = given.slice(1).map((place: unknown) => Number(Object.keys((place ?? {}) as object)[0]))
  return ids.every(Number.isInteger) ? ids : undefined
}

function sglangServer(requests: ServerRequests, model: string | undefined): VerifiedServer {
  const named = model === undefined ? {} : { model }
  return {
    kind: 'SGLang',
    engine: 'sglang',
    ...named,
    requestsPerChat: 1,
    async show(chat, switches) {
      const body = { ...named, ...asRequest(chat), max_tokens: 1, temperature: 0, ...kwargs(switches) }
      const answer = await requests.post('/v1/chat/completions', body)
      return shown(answer, ({ usage }) => {
        const count = (usage as Json | undefined)?.prompt_tokens
        return typeof count === 'number' ? { count } : undefined
      })
    },
    limits: ['it reports only the number of prompt tokens, which is compared; one token is generated per chat'],
  }
}

function rolecallServer(requests: ServerRequests, model: string | undefined): VerifiedServer {
  return {
    kind: 'Rolecall',
    ...(model === undefined ? {} : { model }),
    requestsPerChat: 1,
    async show(chat, switches) {
      const answer = await requests.post('/v1/render', {
        ...(model === undefined ? {} : { model }),
        ...asRequest(chat),
        ...kwargs(switches),
      })
      return shown(answer, ({ text, ids }) =>
        typeof text === 'string' ? { text, ...(idsIn(ids) ? { ids: idsIn(ids)! } : {}) } : undefined,
      )
    },
    limits: [],
  }
}

function kwargs(switches: Readonly<Record<string, boolean>>): object {
  return Object.keys(switches).length === 0 ? {} : { chat_template_kwargs: switches }
}

/** A chat for OpenAI's API: call arguments become JSON strings. */
export function asRequest({ messages, tools }: Chat): { messages: object[]; tools?: readonly object[] } {
  return { messages: messages.map(asWireMessage), ...(tools?.length ? { tools } : {}) }
}

function asWireMessage({ tool_calls: calls, ...message }: ChatMessage): object {
  return { ...message, ...(calls ? { tool_calls: calls.map(asWireCall) } : {}) }
}

function asWireCall(call: ChatToolCall): object {
  if (!('function' in call)) return call
  const { arguments: given } = call.function
  return { ...call, function: { ...call.function, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) } }
}
