import type { ChatPart, ChatToolCall } from '@rolecall/core/internal/conversation'
import { isDict, isList, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { type AssistantParts, addAssistantPart, assistantMessage, contentOf, joinedTexts, type PlacedMessage } from '../converted-chat.ts'
import { exactField, exactText } from '../exact-fields.ts'
import { readPart } from './read-part.ts'

/** Converts a user's blocks into messages, in their order; every tool result is a separate message. */
export function readUserBlocks(role: string, blocks: readonly PyValue[], place: string, problems: string[]): PlacedMessage[] {
  const found: PlacedMessage[] = []
  let parts: ChatPart[] = []
  const flush = () => {
    if (parts.length > 0) found.push({ message: { role, content: contentOf(role === 'system' ? joinedTexts(parts) : parts) }, place })
    parts = []
  }
  blocks.forEach((block, index) => {
    const at = `${place}.content[${index}]`
    if (!isResult(block)) {
      parts.push(...readPart(block, at, problems))
      return
    }
    flush()
    found.push(readResult(block, at, problems))
  })
  flush()
  // An empty message is still a turn.
  return found.length === 0 ? [{ message: { role, content: '' }, place }] : found
}

/**
 * Converts an assistant's blocks (text, thoughts and calls) into messages: one, unless the vendor's server has run a tool within the turn,
 * whose result is then a message of its own.
 */
export function readAssistantBlocks(blocks: readonly PyValue[], place: string, problems: string[]): PlacedMessage[] {
  const found: PlacedMessage[] = []
  let assistant: AssistantParts = { place, parts: [], thoughts: '', calls: [] }
  const isEmpty = () => assistant.parts.length === 0 && assistant.calls.length === 0 && assistant.thoughts === ''
  blocks.forEach((block, index) => {
    const at = `${place}.content[${index}]`
    const type = exactField(block, 'type')
    switch (type) {
      case 'thinking':
        assistant.thoughts += exactText(block, 'thinking', at)
        return
      case 'redacted_thinking':
        problems.push(`${at}: encrypted thinking was dropped`)
        return
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        assistant.calls.push(readCall(block, at))
        return
      default:
        if (!isResult(block)) {
          for (const part of readPart(block, at, problems)) addAssistantPart(assistant, part)
          return
        }
        if (!isEmpty()) found.push(assistantMessage(assistant))
        assistant = { place, parts: [], thoughts: '', calls: [] }
        found.push(readResult(block, at, problems))
    }
  })
  return found.length > 0 && isEmpty() ? found : [...found, assistantMessage(assistant)]
}

/** `tool_result`, and those of the vendor's own tools: `web_search_tool_result`, … */
function isResult(block: PyValue): boolean {
  const type = exactField(block, 'type')
  return typeof type === 'string' && type.endsWith('tool_result')
}

function readCall(block: PyValue, at: string): ChatToolCall {
  const input = exactField(block, 'input') ?? {}
  const written = typeof input === 'string' ? input : stringifyJson(input, { ensureAscii: false })
  return { id: exactText(block, 'id', at), type: 'function', function: { name: exactText(block, 'name', at), arguments: written } }
}

function readResult(block: PyValue, at: string, problems: string[]): PlacedMessage {
  const result = exactField(block, 'content')
  // The results of some of the vendor's tools are one object.
  const parts = isDict(result) ? [result] : result
  const content = isList(parts)
    ? contentOf(parts.flatMap((part, index) => readPart(part, `${at}.content[${index}]`, problems)))
    : typeof parts === 'string'
      ? parts
      : ''
  if (exactField(block, 'is_error') === true) problems.push(`${at}.is_error: ignored, since formats cannot express it`)
  return { message: { role: 'tool', tool_call_id: exactText(block, 'tool_use_id', at), content }, place: at }
}

/** The names of the tools that a search by the client has found: deferred tools are shown to the model from then on. */
export function referencedTools(messages: readonly PyValue[]): string[] {
  const names: string[] = []
  for (const message of messages) {
    for (const block of listIn(message, 'content')) {
      for (const part of listIn(block, 'content')) {
        const name = exactField(part, 'type') === 'tool_reference' ? exactField(part, 'tool_name') : undefined
        if (typeof name === 'string' && !names.includes(name)) names.push(name)
      }
    }
  }
  return names
}

function listIn(value: PyValue, key: string): readonly PyValue[] {
  const list = exactField(value, key)
  return isList(list) ? list : []
}
