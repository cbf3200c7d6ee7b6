import type { Note } from '@rolecall/core/internal/errors'
import type { ApiMessage } from '@rolecall/core/internal/format'
import { dictGet, isDict, type PyDict, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { MessagesPrompt } from '../openai/wire-api.ts'
import type { RememberedCalls } from './remembered-calls.ts'
import { SentCalls } from './sent-calls.ts'
import { type MessagePart, onlyText, partsOf, refusedMedia } from './sent-parts.ts'
import { splitChat } from './system-turns.ts'

const api = "Anthropic's Messages API"

/** The reasoning blocks of an earlier reply, as the API signed them. */
export type SignedBlocks = readonly PyValue[]

type Turn = { role: 'user' | 'assistant'; content: PyValue[] }

/** A chat as the fields `messages`, `system` and `tools`. Results of tools open the user's turn, as the API wants them. */
export function anthropicChat(prompt: MessagesPrompt, signed: RememberedCalls<SignedBlocks>): { said: string; notes: readonly Note[] } {
  const { system, turns: placed, notes } = splitChat(prompt.messages, api)
  const calls = new SentCalls()
  const more: Note[] = []
  const turns: Turn[] = []
  let hasResults = false
  for (const { message, role, where } of placed) {
    if (role === 'assistant') turns.push({ role, content: assistantBlocks(message, where) })
    else if (role === 'user') push('user', partsOf(message).map(blockOf))
    else {
      const { id } = calls.answered(message)
      push('user', [{ type: 'tool_result', tool_use_id: safeId(id, where), content: resultOf(message) }])
    }
    hasResults = role === 'tool'
  }
  const systemBlocks = system
    .map((message) => onlyText(message, api))
    .filter((text) => text !== '')
    .map((text): PyDict => ({ type: 'text', text }))
  const fields: [string, PyValue][] = [
    ['messages', turns.map(({ role, content }) => ({ role, content: shortened(content) }))],
    ...(systemBlocks.length === 0 ? [] : [['system', shortened(systemBlocks)] as [string, PyValue]]),
    ...(prompt.tools && prompt.tools.length > 0 ? [['tools', prompt.tools.map(({ schema }) => toolOf(schema))] as [string, PyValue]] : []),
  ]
  const said = fields.map(([key, value]) => `"${key}":${stringifyJson(value, compact)}`).join(',')
  return { said, notes: [...notes, ...more, ...calls.notes] }

  /** What follows results of tools belongs to their turn. */
  function push(role: 'user', content: PyValue[]): void {
    const last = turns.at(-1)
    if (hasResults && last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }

  function assistantBlocks(message: ApiMessage, where: string): PyValue[] {
    const made = calls.of(message, where)
    const [first] = made
    const thoughts = first === undefined ? undefined : signed.of(first.id)
    const uses = made.map(({ id, name, input }) => ({ type: 'tool_use', id: safeId(id, where), name, input }))
    return [...(thoughts ?? []), ...partsOf(message).map(blockOf), ...uses]
  }

  /** The API takes letters, digits, `_` and `-`. */
  function safeId(id: string, where: string): string {
    const safe = id.replaceAll(/[^\w-]/g, '_')
    if (safe !== id)
      more.push({
        code: 'call-ids-rewritten',
        where,
        text: `${api} does not take the id "${id.slice(0, 60)}": ${safe.slice(0, 60)} is sent`,
      })
    return safe
  }
}

const compact = { ensureAscii: false, separators: [',', ':'] } as const

/** A single text is sent as such. */
function shortened(blocks: readonly PyValue[]): PyValue {
  const [only] = blocks
  if (blocks.length === 0) return ''
  if (blocks.length > 1 || !isDict(only) || dictGet(only, 'type') !== 'text') return [...blocks]
  return dictGet(only, 'text') ?? ''
}

function resultOf(message: ApiMessage): PyValue {
  const parts = partsOf(message)
  return parts.every((part) => 'text' in part) ? parts.map((part) => ('text' in part ? part.text : '')).join('\n') : parts.map(blockOf)
}

function blockOf(part: MessagePart): PyDict {
  if ('text' in part) return { type: 'text', text: part.text }
  const { kind, source, name, path } = part
  if (kind === 'audio' || kind === 'video') throw refusedMedia(path, `${api} takes images and documents, but no ${kind}`)
  const from: PyDict = 'url' in source ? { type: 'url', url: source.url } : { type: 'base64', media_type: source.type, data: source.data }
  if (kind === 'image') return { type: 'image', source: from }
  return { type: 'document', source: from, ...(name === undefined ? {} : { title: name }) }
}

function toolOf(schema: PyDict): PyDict {
  const [name, description, parameters, strict] = ['name', 'description', 'parameters', 'strict'].map((key) => dictGet(schema, key))
  return {
    name: name ?? '',
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    input_schema: isDict(parameters) ? parameters : { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}
