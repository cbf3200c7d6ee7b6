import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { isDict, isList, type PyValue, parseJson } from '@rolecall/core/internal/python'
import type { ReadPaste } from './contract.ts'
import { readConfigSnippet } from './read-config-snippet.ts'
import { readTranscriptText } from './read-transcript-text.ts'

/** Longer texts are no request that somebody looks at. */
const mostCharacters = 4_000_000

/**
 * Recognises what was pasted: a request of OpenAI's, Anthropic's or the Responses API, a list of messages, a row of ShareGPT, a transcript,
 * or parts of an OpenCompass config. The servers' own readers read requests, so that the lab shows what they would show.
 */
export async function readPaste(text: string): Promise<ReadPaste> {
  if (text.length > mostCharacters) throw unreadable(`it has more than ${mostCharacters} characters`)
  const body = jsonIn(text)
  if (body === undefined) return readText(text)
  if (Array.isArray(body)) {
    if (body.some(isShareGpt)) return { as: 'messages', ...shareGpt(body), problems: [] }
    return checked({ as: 'messages', messages: body as readonly ChatMessage[], problems: [] })
  }
  if (!isDict(body) || body instanceof Map) throw unreadable('it is neither an object nor a list')
  const request = body as Readonly<Record<string, PyValue>>
  if (Array.isArray(request.conversations)) return { as: 'messages', ...shareGpt(request.conversations), problems: [] }
  if (request.input !== undefined && request.messages === undefined) return readResponsesRequest(body)
  if (isAnthropic(request)) return readAnthropicRequest(body)
  if (Array.isArray(request.messages)) return readOpenAi(request)
  return readConfigSnippet(text)
}

/** JSON, also the body of a curl command; undefined if it is something else. */
function jsonIn(text: string): unknown {
  const command = /^\s*curl\b/.test(text)
    ? /(?:-d|--data(?:-raw|-binary)?|--json)\s+(?:\$?'([\s\S]*?)'\s*(?:\\?\n|$|-)|"((?:[^"\\]|\\.)*)")/.exec(text)
    : null
  const given = command ? (command[1] ?? command[2] ?? '').replaceAll(`'\\''`, "'") : text
  try {
    return parseJson(given)
  } catch {
    if (/^\s*\{\s*"|^\s*\[\s*\{\s*"/.test(given) && /"(?:messages|input|role)"/.test(given)) throw badJson(given)
    return undefined
  }
}

function badJson(text: string): Error {
  try {
    JSON.parse(text)
    return unreadable('it is no valid JSON')
  } catch (error) {
    return unreadable(`it is no valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function isAnthropic({ system, messages, tools, thinking, anthropic_version: version }: Readonly<Record<string, PyValue>>): boolean {
  const list = (value: PyValue | undefined): readonly PyValue[] => (Array.isArray(value) ? value : [])
  const hasSchema = list(tools).some((tool) => isDict(tool) && 'input_schema' in tool)
  const blocks = list(messages).flatMap((message) => list((message as Readonly<Record<string, PyValue>> | null)?.content))
  const hasBlock = blocks.some((block) =>
    /^(tool_use|tool_result|thinking|redacted_thinking)$/.test(String((block as { type?: unknown } | null)?.type)),
  )
  return system !== undefined || hasSchema || hasBlock || thinking !== undefined || version !== undefined
}

async function readAnthropicRequest(body: PyValue): Promise<ReadPaste> {
  const { chatOfMessages } = await import('rolecall/internal/server/messages/anthropic-chat')
  const { messages = [], system, tools = [], thinking } = body as Readonly<Record<string, PyValue>>
  const problems: string[] = []
  const chat = chatOfMessages({ messages, system, tools }, problems)
  const type = (thinking as { type?: unknown } | undefined)?.type
  const variables = type === undefined ? {} : { variables: { enable_thinking: type !== 'disabled' } }
  return checked({ as: 'anthropic', ...placedChat(chat), ...variables, problems })
}

async function readResponsesRequest(body: PyValue): Promise<ReadPaste> {
  const [{ readInputItems, readToolItems }, { ResponseTools }] = await Promise.all([
    import('rolecall/internal/server/responses/read-input-items'),
    import('rolecall/internal/server/responses/response-tools'),
  ])
  const { input, instructions, tools: given, reasoning } = body as Readonly<Record<string, PyValue>>
  const problems: string[] = []
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : isList(input) ? input : []
  const placedItems = items.map((item, index) => ({ item, place: `input[${index}]` }))
  const tools = new ResponseTools(problems)
  if (isList(given)) tools.add(given, 'tools')
  readToolItems(placedItems, tools)
  const placed = readInputItems(placedItems, { tools, problems })
  const system = typeof instructions === 'string' && instructions !== '' ? [{ message: { role: 'system', content: instructions } }] : []
  const effort = (reasoning as { effort?: unknown } | undefined)?.effort
  const variables = typeof effort === 'string' ? { variables: { reasoning_effort: effort } } : {}
  return checked({ as: 'responses', ...placedChat({ placed: [...system, ...placed], tools: tools.tools }), ...variables, problems })
}

type PlacedChat = { placed: readonly { message: object }[]; tools: readonly object[] }

function placedChat({ placed, tools }: PlacedChat): Pick<ReadPaste, 'messages' | 'tools'> {
  return {
    messages: plain(placed.map(({ message }) => message)) as readonly ChatMessage[],
    ...(tools.length === 0 ? {} : { tools: plain(tools) as readonly object[] }),
  }
}

/** Fields of OpenAI's API that chat templates read, and those that have no part in a prompt. */
function readOpenAi(request: Readonly<Record<string, PyValue>>): ReadPaste {
  const { messages, tools, functions, chat_template_kwargs: kwargs, reasoning_effort: effort } = request
  const called = Array.isArray(functions) ? functions.map((one) => ({ type: 'function', function: one })) : []
  const given = [...(Array.isArray(tools) ? tools : []), ...called] as readonly object[]
  const variables = { ...(effort === undefined ? {} : { reasoning_effort: effort }), ...(isDict(kwargs) ? (kwargs as object) : {}) }
  const problems = Object.keys(request).filter((key) => ['response_format', 'tool_choice', 'logit_bias'].includes(key))
  return checked({
    as: 'openai',
    messages: plain(messages) as readonly ChatMessage[],
    ...(given.length === 0 ? {} : { tools: plain(given) as readonly object[] }),
    ...(Object.keys(variables).length === 0 ? {} : { variables: plain(variables) as Readonly<Record<string, unknown>> }),
    problems: problems.map((key) => `${key}: servers apply it after the template; the prompt does not show it`),
  })
}

function isShareGpt(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'from' in value && 'value' in value
}

const shareGptRoles: Readonly<Record<string, string>> = { human: 'user', gpt: 'assistant', function_call: 'assistant', observation: 'tool' }

function shareGpt(turns: readonly PyValue[]): Pick<ReadPaste, 'messages'> {
  const messages = turns.map((turn): ChatMessage => {
    const { from, value } = turn as { from?: unknown; value?: unknown }
    const role = String(from)
    return { role: Object.hasOwn(shareGptRoles, role) ? shareGptRoles[role]! : role, content: String(value ?? '') }
  })
  return { messages }
}

function checked(paste: ReadPaste): ReadPaste {
  const wrong =
    paste.messages?.findIndex((message) => typeof message !== 'object' || message === null || typeof message.role !== 'string') ?? -1
  if (wrong >= 0) throw unreadable(`messages[${wrong}] has no role`)
  return paste
}

/** Numbers as JavaScript has them: the lab's forms and links are plain JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

async function readText(text: string): Promise<ReadPaste> {
  const transcript = await readTranscriptText(text)
  return transcript ?? readConfigSnippet(text)
}

export function unreadable(problem: string): PromptError {
  return new PromptError('bad-request', {
    where: 'the pasted text',
    problem,
    fix: 'paste a request of OpenAI, Anthropic or the Responses API, a list of messages, a transcript, or an OpenCompass config',
  })
}
