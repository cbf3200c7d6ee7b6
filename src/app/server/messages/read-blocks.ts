import { isList, type PyValue, stringifyJson } from '../../../base/python/index.ts'
import type { ChatPart, ChatToolCall } from '../../../prompt/conversation/chat-message.ts'
import { badField } from '../api-error.ts'
import { type AssistantParts, addAssistantPart, assistantMessage, contentOf, type PlacedMessage } from '../converted-chat.ts'
import { exactField, exactText } from '../read-body.ts'

/** Converts a user's blocks into messages, in their order; every tool result is a separate message. */
export function readUserBlocks(role: string, blocks: readonly PyValue[], place: string, problems: string[]): PlacedMessage[] {
  const found: PlacedMessage[] = []
  let parts: ChatPart[] = []
  const flush = () => {
    if (parts.length > 0) found.push({ message: { role, content: contentOf(parts) }, place })
    parts = []
  }
  blocks.forEach((block, index) => {
    const at = `${place}.content[${index}]`
    if (exactField(block, 'type') !== 'tool_result') {
      parts.push(readPart(block, at))
      return
    }
    flush()
    const result = exactField(block, 'content')
    const content = isList(result) ? contentOf(result.map((part, one) => readPart(part, `${at}.content[${one}]`))) : (result ?? '')
    if (exactField(block, 'is_error') === true) problems.push(`${at}.is_error: ignored, since formats cannot express it`)
    found.push({ message: { role: 'tool', tool_call_id: exactText(block, 'tool_use_id', at), content: content as string }, place: at })
  })
  flush()
  // An empty message is still a turn.
  return found.length === 0 ? [{ message: { role, content: '' }, place }] : found
}

/** Converts an assistant's blocks (text, thoughts and calls) into one message. */
export function readAssistantBlocks(blocks: readonly PyValue[], place: string, problems: string[]): PlacedMessage {
  const assistant: AssistantParts = { place, parts: [], thoughts: '', calls: [] }
  blocks.forEach((block, index) => {
    const at = `${place}.content[${index}]`
    switch (exactField(block, 'type')) {
      case 'thinking':
        assistant.thoughts += exactText(block, 'thinking', at)
        return
      case 'redacted_thinking':
        problems.push(`${at}: encrypted thinking was dropped`)
        return
      case 'tool_use':
        assistant.calls.push(readCall(block, at))
        return
      default:
        addAssistantPart(assistant, readPart(block, at))
    }
  })
  return assistantMessage(assistant)
}

function readCall(block: PyValue, at: string): ChatToolCall {
  const input = exactField(block, 'input') ?? {}
  const written = typeof input === 'string' ? input : stringifyJson(input, { ensureAscii: false })
  return { id: exactText(block, 'id', at), type: 'function', function: { name: exactText(block, 'name', at), arguments: written } }
}

/** A text or image block as part of a message. */
export function readPart(block: PyValue, at: string): ChatPart {
  const type = exactField(block, 'type')
  if (type === 'text') return { type, text: exactText(block, 'text', at) }
  const source = exactField(block, 'source')
  const kind = exactField(source, 'type')
  if (type === 'image' && kind === 'url') return { type: 'image_url', image_url: { url: exactText(source, 'url', `${at}.source`) } }
  if (type === 'image' && kind === 'base64') {
    const data = exactText(source, 'data', `${at}.source`)
    return { type: 'image_url', image_url: { url: `data:${exactText(source, 'media_type', `${at}.source`)};base64,${data}` } }
  }
  if (type === 'document' && kind === 'base64') {
    const data = exactText(source, 'data', `${at}.source`)
    return { type: 'file', file: { file_data: `data:${exactText(source, 'media_type', `${at}.source`)};base64,${data}` } }
  }
  if (type === 'document' && kind === 'text') return { type: 'text', text: exactText(source, 'data', `${at}.source`) }
  throw badField(
    at,
    type === 'image' ? `unsupported image source "${String(kind)}"` : `unsupported block type "${String(type)}"`,
    'unsupported',
  )
}
