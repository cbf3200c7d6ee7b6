import { isList, type PyValue, stringifyJson } from '../../../base/python/index.ts'
import type { ChatPart, ChatToolCall } from '../../../prompt/conversation/chat-message.ts'
import { ApiError } from '../api-error.ts'
import { contentOf, type PlacedMessage } from '../converted-chat.ts'
import { fieldOf, textAt } from '../exact-values.ts'

/** A user's blocks as messages of a chat: results of tools are messages of their own, in the order of the blocks. */
export function readUserBlocks(role: string, blocks: readonly PyValue[], place: string, problems: string[]): PlacedMessage[] {
  const found: PlacedMessage[] = []
  let parts: ChatPart[] = []
  const flush = () => {
    if (parts.length > 0) found.push({ message: { role, content: contentOf(parts) }, place })
    parts = []
  }
  blocks.forEach((block, index) => {
    const at = `${place}.content[${index}]`
    if (fieldOf(block, 'type') !== 'tool_result') {
      parts.push(readPart(block, at))
      return
    }
    flush()
    const result = fieldOf(block, 'content')
    const content = isList(result) ? contentOf(result.map((part, one) => readPart(part, `${at}.content[${one}]`))) : (result ?? '')
    if (fieldOf(block, 'is_error') === true) problems.push(`${at}.is_error: formats have no mark for it; the text was shown as it is`)
    found.push({ message: { role: 'tool', tool_call_id: textAt(block, 'tool_use_id', at), content: content as string }, place: at })
  })
  flush()
  // Somebody who says nothing still had a turn.
  return found.length === 0 ? [{ message: { role, content: '' }, place }] : found
}

/** An assistant's blocks as one message: words, thoughts and calls. */
export function readAssistantBlocks(blocks: readonly PyValue[], place: string, problems: string[]): PlacedMessage {
  const parts: ChatPart[] = []
  const calls: ChatToolCall[] = []
  let thoughts = ''
  blocks.forEach((block, index) => {
    const at = `${place}.content[${index}]`
    switch (fieldOf(block, 'type')) {
      case 'thinking':
        thoughts += textAt(block, 'thinking', at)
        return
      case 'redacted_thinking':
        problems.push(`${at}: nobody but its author can read it, so it was left out`)
        return
      case 'tool_use':
        calls.push(readCall(block, at))
        return
      default: {
        const part = readPart(block, at)
        const last = calls.at(-1)
        if (last === undefined || part.type !== 'text') parts.push(part)
        else last.after = (last.after ?? '') + part.text
      }
    }
  })
  return {
    place,
    message: {
      role: 'assistant',
      content: parts.length === 0 && calls.length > 0 ? null : contentOf(parts),
      ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  }
}

function readCall(block: PyValue, at: string): ChatToolCall {
  const input = fieldOf(block, 'input') ?? {}
  const written = typeof input === 'string' ? input : stringifyJson(input, { ensureAscii: false })
  return { id: textAt(block, 'id', at), type: 'function', function: { name: textAt(block, 'name', at), arguments: written } }
}

/** A block of text or an image as part of a message. */
export function readPart(block: PyValue, at: string): ChatPart {
  const type = fieldOf(block, 'type')
  if (type === 'text') return { type, text: textAt(block, 'text', at) }
  const source = fieldOf(block, 'source')
  const kind = fieldOf(source, 'type')
  if (type === 'image' && kind === 'url') return { type: 'image_url', image_url: { url: textAt(source, 'url', `${at}.source`) } }
  if (type === 'image' && kind === 'base64') {
    const data = textAt(source, 'data', `${at}.source`)
    return { type: 'image_url', image_url: { url: `data:${textAt(source, 'media_type', `${at}.source`)};base64,${data}` } }
  }
  const what = type === 'image' ? `images of the source "${String(kind)}"` : `blocks of the type "${String(type)}"`
  throw new ApiError(400, { message: `${at}: ${what} is not supported here`, param: at, code: 'unsupported' })
}
