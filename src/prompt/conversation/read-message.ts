import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictEntries, dictGet, isDict, isList, type PyDict, type PyValue } from '../../base/python/index.ts'
import { type IdsPiece, plain, type Source } from '../../base/text/index.ts'
import type { ToolCall, Turn } from './conversation.ts'
import { withKnownFields } from './message-fields.ts'
import { readContent } from './read-content.ts'

export type MessageReading = {
  /** What was left out of the message is added here. */
  notes: Note[]
  /** The caller vouches that its ids are what the model generated; without this it carries only what anybody may say. */
  trustsIds?: boolean
}

/** Reads one chat message of a request (`by: 'message'`) or of a row (`by: 'field'`) into a turn. */
export function readMessage(given: unknown, origin: Source, { notes, trustsIds = false }: MessageReading): Turn {
  const { path } = origin
  if (isSimple(given)) return { role: given.role, path, message: given, content: [plain(given.content, sourceAt(origin, 'content'))] }
  const role = isDict(given) ? dictGet(given, 'role') : undefined
  if (!isDict(given) || typeof role !== 'string') {
    throw new PromptError('bad-message', {
      where: path,
      problem: isDict(given) ? 'the message has no role' : 'this is no message',
      fix: 'write { role: one of system, user, assistant, tool, content: … }',
    })
  }
  // Only the model generates: in the words of anybody else ids are as foreign as in a file.
  const isTrusted = trustsIds && (role === 'assistant' || (dictGet(given, 'token_ids') ?? null) === null)
  const message = isTrusted ? given : withKnownFields(given, path, notes)
  const content = dictGet(message, 'content')
  const name = dictGet(message, 'name')
  const reasoning = dictGet(message, 'reasoning_content')
  const callId = dictGet(message, 'tool_call_id')
  const calls = readCalls(dictGet(message, 'tool_calls'), `${path}.tool_calls`)
  const others = dictEntries(message).filter(([key]) => key !== 'role' && key !== 'content' && key !== 'name')
  const generated = readGenerated(dictGet(message, 'token_ids'), { by: 'model', path: `${path}.token_ids` })
  // What the model generated goes back as it was: its ids hold both its words and its calls.
  if (generated) return { role, path, message, content: [generated], ...(typeof name === 'string' && name !== '' ? { name } : {}) }
  return {
    role,
    path,
    message,
    content: readContent(content ?? '', sourceAt(origin, 'content')),
    ...(Array.isArray(content) ? { asParts: true as const } : {}),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(typeof reasoning === 'string' ? { reasoning: [plain(reasoning, sourceAt(origin, 'reasoning_content'))] } : {}),
    ...(calls.length === 0 ? {} : { calls }),
    ...(typeof callId === 'string' ? { callId } : {}),
    ...(others.length === 0 ? {} : { extra: Object.fromEntries(others) }),
  }
}

/** Most messages are a role and a text: asking for everything else that a message may carry takes longer than writing them. */
function isSimple(message: unknown): message is { role: string; content: string } {
  if (!isDict(message) || message instanceof Map) return false
  for (const key in message) if (key !== 'role' && key !== 'content') return false
  const { role, content } = message as { [key: string]: PyValue }
  return typeof role === 'string' && typeof content === 'string'
}

function sourceAt(origin: Source, key: string): Source {
  const path = `${origin.path}.${key}`
  return origin.example === undefined && origin.span === undefined ? { by: origin.by, path } : { ...origin, path }
}

/** Reads `tool_calls` as messages carry them. */
export function readCalls(given: PyValue | undefined, path: string): ToolCall[] {
  if (given === undefined || given === null) return []
  if (!isList(given)) throw badCall(path, 'tool_calls is not a list')
  return given.map((call, index) => {
    const place = `${path}[${index}]`
    if (!isDict(call)) throw badCall(place, 'this is no tool call')
    const id = dictGet(call, 'id')
    const raw = dictGet(call, 'raw')
    const after = dictGet(call, 'after')
    const given = {
      path: place,
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof raw === 'string' ? { raw } : {}),
      ...(typeof after === 'string' && after !== '' ? { after } : {}),
    }
    const interpreter = dictGet(call, 'code_interpreter')
    if (isDict(interpreter)) {
      const code = dictGet(interpreter, 'input')
      if (typeof code !== 'string') throw badCall(place, 'the call has no code_interpreter.input')
      return { name: 'interpreter', arguments: { code }, code, ...given }
    }
    const wrapped = dictGet(call, 'function')
    const inner: PyDict = isDict(wrapped) ? wrapped : call
    const name = dictGet(inner, 'name')
    if (typeof name !== 'string') throw badCall(place, 'the call names no tool')
    // Document 004 calls them `parameters`, OpenAI `arguments`.
    return { name, arguments: dictGet(inner, 'arguments') ?? dictGet(inner, 'parameters') ?? {}, ...given }
  })
}

function readGenerated(ids: PyValue | undefined, source: Source): IdsPiece | undefined {
  if (ids === undefined || ids === null) return undefined
  if (isList(ids) && ids.every((id): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0)) return { ids, source }
  throw new PromptError('bad-message', {
    where: source.path,
    problem: 'this is not a list of token ids',
    fix: 'give the ids that the model generated, or leave it out',
  })
}

function badCall(where: string, problem: string): PromptError {
  return new PromptError('bad-tool-call', { where, problem, fix: 'write { type: "function", function: { name, arguments } }' })
}
