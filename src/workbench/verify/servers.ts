import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Answered, Requests } from './requests.ts'
import type { Shown, VerifiedServer } from './server.ts'
import { asRequest } from './wire.ts'

type Json = Readonly<Record<string, unknown>>

/** Finds out what a server is by what it says of itself, and how it can be asked. */
export async function openServer(requests: Requests): Promise<VerifiedServer> {
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
    problem: `it does not say how it renders chats (${'problem' in models ? models.problem : `its models are owned by "${owner}"`}; /props: ${'problem' in props ? props.problem : 'no chat_template'})`,
    fix: 'give the address of a server of llama.cpp, vLLM, SGLang or Rolecall, without a path or with /v1',
  })
}

function firstModel(models: Answered): Json {
  if (models.status === 401 || models.status === 403)
    throw new PromptError('no-access', {
      where: '/v1/models',
      problem: 'problem' in models ? models.problem : 'the server refuses to answer',
      fix: 'put the key into OPENAI_API_KEY, or name another variable with --key-env',
    })
  const data = 'json' in models ? (models.json as { data?: unknown } | null)?.data : undefined
  return (Array.isArray(data) ? ((data[0] as Json | undefined) ?? {}) : {}) as Json
}

/** The answer's JSON, or what the server refuses with. */
function shown(answer: Answered, read: (json: Json) => Shown | undefined): Shown {
  if ('problem' in answer) return { refused: answer.problem }
  return read((answer.json ?? {}) as Json) ?? { refused: 'its answer has another shape than expected' }
}

function idsIn(value: unknown): number[] | undefined {
  return Array.isArray(value) && value.every((id) => typeof id === 'number') ? value : undefined
}

function llamaServer(requests: Requests, model: string | undefined, props: Json): VerifiedServer {
  const tokens = Object.fromEntries(
    ['bos_token', 'eos_token'].flatMap((name) => (typeof props[name] === 'string' ? [[name, props[name] as string]] : [])),
  )
  const encode = async (text: string, recognises: boolean, addSpecial = false) => {
    const answer = await requests.post('/tokenize', { content: text, add_special: addSpecial, parse_special: recognises })
    return 'json' in answer ? idsIn((answer.json as Json | null)?.tokens) : undefined
  }
  return {
    kind: 'llama.cpp',
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
      // As it does with the prompt of a chat: with BOS where the model has it, and control tokens wherever they stand.
      const ids = await encode(written.text!, true, true)
      return { ...written, ...(ids && { ids }) }
    },
    encode: (text, recognises) => encode(text, recognises),
    limits: [],
  }
}

function vllmServer(requests: Requests, model: string | undefined, first: Json): VerifiedServer {
  const named = model === undefined ? {} : { model }
  return {
    kind: 'vLLM',
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
    limits: ['the text is what its ids decode to, so that bytes are compared only as far as its tokenizer keeps them'],
  }
}

/** vLLM's log-probabilities of a prompt: for every place but the first the id that stands there, first among those listed. */
function idsOfLogprobs(given: unknown): number[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  const ids = given.slice(1).map((place: unknown) => Number(Object.keys((place ?? {}) as object)[0]))
  return ids.every(Number.isInteger) ? ids : undefined
}

function sglangServer(requests: Requests, model: string | undefined): VerifiedServer {
  const named = model === undefined ? {} : { model }
  return {
    kind: 'SGLang',
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
    limits: ['it tells only how many tokens a chat has: that many are compared, and one token is generated for each'],
  }
}

function rolecallServer(requests: Requests, model: string | undefined): VerifiedServer {
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
