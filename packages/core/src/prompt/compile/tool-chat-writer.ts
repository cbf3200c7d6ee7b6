import { dictGet, isDict, type PyValue } from '../../base/python/index.ts'
import type { Chat, ChatMessage } from '../conversation/chat-message.ts'
import { readTools } from '../conversation/read-chat.ts'
import type { PlainChat, PlainTools } from '../format/plain-chat.ts'
import { isPlainMessage } from './plain-message.ts'
import { rememberedText } from './remembered-text.ts'

/**
 * A fast path for chats with tools, calls and results: message by message, without creating pieces. Undefined if a chat has anything else
 * (names, thoughts, code, ids, parts, mistakes), which is left to `render`.
 */
export function toolChatWriter(plain: PlainChat, tools: PlainTools): ((chat: Chat) => string | undefined) | undefined {
  if (plain.system !== 'turn' || plain.alternates || plain.period !== 1) return undefined
  const heads = new Map(plain.roles.map((role) => [role, plain.begin(role)]))
  const ends = new Map(plain.roles.map((role) => [role, plain.end(0, role)]))
  const assistant = { head: plain.begin('assistant'), end: plain.end(0, 'assistant') }
  const resultEnd = plain.end(0, 'environment')
  // The text before everything, without the header of the first turn.
  const first = plain.roles[0]!
  const start = plain.start(undefined, first).slice(0, -plain.begin(first).length)
  const listed = rememberedText((given: readonly object[]) => listOf(tools, given))

  const turnOf = (message: ChatMessage): string | undefined => {
    if (isPlainMessage(message)) {
      const { role, content } = message
      if (isResult(role)) return tools.result + content + resultEnd
      const head = heads.get(role)
      return head === undefined ? undefined : head + content + ends.get(role)!
    }
    if (!isPlainObject(message)) return undefined
    if (message.tool_call_id !== undefined) return isAnswer(message) ? tools.result + message.content + resultEnd : undefined
    const calls = callsOf(message, tools)
    return calls === undefined ? undefined : assistant.head + ((message.content as string | null | undefined) ?? '') + calls + assistant.end
  }

  return ({ messages, tools: given }) => {
    if (messages.length === 0) return undefined
    const list = !given || given.length === 0 ? '' : listed(given)
    if (list === undefined) return undefined
    const at = list === '' ? -1 : placeOf(messages, tools.place)
    let text = at === 0 ? start + list : start
    for (let index = 0; index < messages.length; index++) {
      const turn = turnOf(messages[index]!)
      if (turn === undefined) return undefined
      text = index + 1 === at ? text + turn + list : text + turn
    }
    return text + plain.reply
  }
}

/** The text that describes the tools to the model; undefined if they are not plain tools. */
function listOf(tools: PlainTools, given: readonly object[]): string | undefined {
  if (!Array.isArray(given)) return undefined
  // Rendering the chat reports what cannot be read or written.
  try {
    const { tools: read, interpreter } = readTools(given, 'tools')
    return read === undefined || interpreter ? undefined : tools.list(read)
  } catch {
    return undefined
  }
}

/** The number of messages before the tools. */
function placeOf(messages: readonly ChatMessage[], place: PlainTools['place']): number {
  if (place === 'start') return 0
  let systems = 0
  while (systems < messages.length && messages[systems]?.role === 'system') systems++
  return place === 'after-systems' ? systems : Math.min(systems, 1)
}

function isResult(role: string): boolean {
  return role === 'tool' || role === 'function'
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** A result with the id of its call, and nothing else. */
function isAnswer(message: ChatMessage): message is ChatMessage & { content: string } {
  if (!isResult(message.role) || typeof message.content !== 'string' || typeof message.tool_call_id !== 'string') return false
  for (const key in message) if (key !== 'role' && key !== 'content' && key !== 'tool_call_id') return false
  return true
}

/** The calls of an assistant's message that has words, calls and nothing else. */
function callsOf(message: ChatMessage, tools: PlainTools): string | undefined {
  const { role, content, tool_calls: calls } = message
  if (role !== 'assistant' || !Array.isArray(calls) || (typeof content !== 'string' && content !== null && content !== undefined))
    return undefined
  for (const key in message) if (key !== 'role' && key !== 'content' && key !== 'tool_calls') return undefined
  let text = ''
  for (const call of calls as readonly PyValue[]) {
    const written = isPlainObject(call) ? writtenCall(call, tools) : undefined
    if (written === undefined) return undefined
    text += written
  }
  return text
}

function writtenCall(call: PyValue, tools: PlainTools): string | undefined {
  for (const key in call as object) if (!callKeys.has(key)) return undefined
  const { id, function: wrapped } = call as { id?: PyValue; function?: PyValue }
  const inner = isDict(wrapped) ? wrapped : (call as { [key: string]: PyValue })
  const name = dictGet(inner, 'name')
  const given = dictGet(inner, 'arguments') ?? dictGet(inner, 'parameters') ?? {}
  if (typeof name !== 'string' || (id !== undefined && typeof id !== 'string')) return undefined
  // Rendering the chat reports what cannot be read or written.
  try {
    return tools.call(name, given)
  } catch {
    return undefined
  }
}

const callKeys = new Set(['id', 'type', 'function', 'name', 'arguments', 'parameters'])
