import { PromptError } from '../prompt-error.ts'
import { dictEntries, dictGet, isDict, isList, type PyDict, type PyValue } from '../python/index.ts'
import type { ToolCall, Turn } from '../template/conversation.ts'
import { plain, type Source } from '../text/index.ts'
import { readContent } from './read-content.ts'

/** Reads one chat message, as it stands in a request (`by: 'message'`) or in a row (`by: 'field'`), into a turn. */
export function readMessage(message: unknown, origin: Source): Turn {
  const { path } = origin
  const role = isDict(message) ? dictGet(message, 'role') : undefined
  if (!isDict(message) || typeof role !== 'string') {
    throw new PromptError('bad-message', {
      where: path,
      problem: isDict(message) ? 'the message has no role' : 'this is no message',
      fix: 'write { role: one of system, user, assistant, tool, content: … }',
    })
  }
  const at = (key: string): Source => ({ ...origin, path: `${path}.${key}` })
  const content = dictGet(message, 'content')
  const name = dictGet(message, 'name')
  const reasoning = dictGet(message, 'reasoning_content')
  const callId = dictGet(message, 'tool_call_id')
  const calls = readCalls(dictGet(message, 'tool_calls'), `${path}.tool_calls`)
  const others = dictEntries(message).filter(([key]) => key !== 'role' && key !== 'content' && key !== 'name')
  return {
    role,
    path,
    message,
    content: readContent(content ?? '', at('content')),
    ...(Array.isArray(content) ? { asParts: true as const } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof reasoning === 'string' ? { reasoning: [plain(reasoning, at('reasoning_content'))] } : {}),
    ...(calls.length === 0 ? {} : { calls }),
    ...(typeof callId === 'string' ? { callId } : {}),
    ...(others.length === 0 ? {} : { extra: Object.fromEntries(others) }),
  }
}

function readCalls(given: PyValue | undefined, path: string): ToolCall[] {
  if (given === undefined || given === null) return []
  if (!isList(given)) throw badCall(path, 'tool_calls is not a list')
  return given.map((call, index) => {
    const place = `${path}[${index}]`
    if (!isDict(call)) throw badCall(place, 'this is no tool call')
    const wrapped = dictGet(call, 'function')
    const inner: PyDict = isDict(wrapped) ? wrapped : call
    const name = dictGet(inner, 'name')
    if (typeof name !== 'string') throw badCall(place, 'the call names no tool')
    const id = dictGet(call, 'id')
    // Document 004 calls them `parameters`, OpenAI `arguments`.
    const given = dictGet(inner, 'arguments') ?? dictGet(inner, 'parameters') ?? {}
    return { name, arguments: given, path: place, ...(typeof id === 'string' ? { id } : {}) }
  })
}

function badCall(where: string, problem: string): PromptError {
  return new PromptError('bad-tool-call', { where, problem, fix: 'write { type: "function", function: { name, arguments } }' })
}
