import type { DrawnPrompt } from '../engine/contract.ts'
import type { LabState } from '../lab-state.ts'

type Server = { address: string; key: string; model: string }
type Sent = Pick<LabState, 'messages' | 'tools'> & { prompt: DrawnPrompt }

const mostTokens = 1024
/** A server that never ends is cut here. */
const mostCharacters = 400_000

/** Streams the reply of an OpenAI-compatible server to exactly this prompt; `onReply` hears the reply so far. */
export async function askServer(
  { address, key, model }: Server,
  { prompt, messages, tools }: Sent,
  onReply: (reply: string) => void,
): Promise<void> {
  const base = address.trim().replace(/\/+$/, '')
  if (!/^https?:\/\//.test(base)) throw new Error(`${address}: expected http:// or https://`)
  const isText = prompt.kind === 'completion'
  const body = {
    ...(model === '' ? {} : { model }),
    ...(isText ? { prompt: prompt.text, stop: prompt.stops.slice(0, 4) } : { messages, ...(tools.length > 0 ? { tools } : {}) }),
    max_tokens: mostTokens,
    stream: true,
  }
  const response = await fetch(`${base}/${isText ? 'completions' : 'chat/completions'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })
  if (!response.ok || response.body === null) throw new Error(`${base}: status ${response.status} ${(await response.text()).slice(0, 300)}`)
  let reply = ''
  for await (const data of events(response.body)) {
    reply += textOf(data)
    onReply(reply)
    if (reply.length > mostCharacters) break
  }
}

/** The data of server-sent events. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      const lines = rest.split(/\r\n|\n|\r/)
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim()
      if (done) return
    }
  } finally {
    await reader.cancel()
  }
}

function textOf(data: string): string {
  if (data === '[DONE]' || data === '') return ''
  const { choices = [], error } = JSON.parse(data) as {
    choices?: { text?: string; delta?: { content?: string | null } }[]
    error?: { message?: string }
  }
  if (error) throw new Error(error.message ?? data)
  const [choice] = choices
  return choice?.text ?? choice?.delta?.content ?? ''
}
