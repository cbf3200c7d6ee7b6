import type { ChatPart, ChatToolCall } from '@rolecall/core/internal/conversation'
import { isList, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { type AssistantParts, addAssistantPart, assistantMessage, contentOf, type PlacedMessage } from '../converted-chat.ts'
import { exactField, exactText } from '../exact-fields.ts'
import { readPart } from './read-part.ts'

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
      parts.push(readPart(block, at, problems))
      return
    }
    flush()
    const result = exactField(block, 'content')
    const content = isList(result)
      ? contentOf(result.map((part, one) => readPart(part, `${at}.content[${one}]`, problems)))
      : (result ?? '')
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
        addAssistantPart(assistant, readPart(block, at, problems))
    }
  })
  return assistantMessage(assistant)
}

function readCall(block: PyValue, at: string): ChatToolCall {
  const input = exactField(block, 'input') ?? {}
  const written = typeof input === 'string' ? input : stringifyJson(input, { ensureAscii: false })
  return { id: exactText(block, 'id', at), type: 'function', function: { name: exactText(block, 'name', at), arguments: written } }
}
