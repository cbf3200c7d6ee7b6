import { isList, type PyValue } from '../../../base/python/index.ts'
import type { ChatMessage, ChatPart, ChatToolCall } from '../../../prompt/conversation/chat-message.ts'
import { ApiError } from '../api-error.ts'
import { contentOf, type PlacedMessage } from '../converted-chat.ts'
import { fieldOf, textAt } from '../exact-values.ts'
import { customArguments } from './custom-tools.ts'

/** An item of the input, and where it stands. */
export type PlacedItem = { item: PyValue; place: string }

/** What an assistant said in items that follow one another. */
type Speaking = { place: string; parts: ChatPart[]; thoughts: string; calls: ChatToolCall[] }

/**
 * Items as messages of a chat. What the model said comes in several items (thoughts, words, calls), which are one message; results of
 * tools and what others say are messages of their own.
 */
export function readItems(items: readonly PlacedItem[]): PlacedMessage[] {
  const found: PlacedMessage[] = []
  let speaking: Speaking | undefined
  const flush = () => {
    if (speaking) found.push(spoken(speaking))
    speaking = undefined
  }
  const speak = (place: string): Speaking => {
    speaking ??= { place, parts: [], thoughts: '', calls: [] }
    return speaking
  }
  for (const { item, place } of items) {
    const type = fieldOf(item, 'type') ?? 'message'
    switch (type) {
      case 'message': {
        const role = textAt(item, 'role', place)
        const parts = partsOf(fieldOf(item, 'content'), `${place}.content`)
        if (role !== 'assistant') {
          flush()
          found.push({ message: { role, content: contentOf(parts) }, place })
          break
        }
        // Two messages in a row are two.
        if (speaking && speaking.parts.length > 0 && speaking.calls.length === 0) flush()
        say(parts, speak(place))
        break
      }
      case 'reasoning':
        if (speaking && (speaking.parts.length > 0 || speaking.calls.length > 0)) flush()
        speak(place).thoughts += thoughtsOf(item)
        break
      case 'function_call':
      case 'custom_tool_call':
        speak(place).calls.push(readCall(item, place, type === 'custom_tool_call'))
        break
      case 'function_call_output':
      case 'custom_tool_call_output':
        flush()
        found.push({ message: readResult(item, place), place })
        break
      default:
        throw unsupported(place, `items of the type "${String(type)}" is not supported here`)
    }
  }
  flush()
  return found
}

/** Words behind a call belong to it. */
function say(parts: readonly ChatPart[], { parts: said, calls }: Speaking): void {
  const last = calls.at(-1)
  for (const part of parts) {
    if (last === undefined || part.type !== 'text') said.push(part)
    else last.after = (last.after ?? '') + part.text
  }
}

function spoken({ place, parts, thoughts, calls }: Speaking): PlacedMessage {
  const message: ChatMessage = {
    role: 'assistant',
    content: parts.length === 0 && calls.length > 0 ? null : contentOf(parts),
    ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return { message, place }
}

function readCall(item: PyValue, place: string, isCustom: boolean): ChatToolCall {
  const written = isCustom ? customArguments(textAt(item, 'input', place)) : textAt(item, 'arguments', place)
  const called = { name: textAt(item, 'name', place), arguments: written }
  return { id: textAt(item, 'call_id', place), type: 'function', function: called }
}

function readResult(item: PyValue, place: string): ChatMessage {
  const content = contentOf(partsOf(fieldOf(item, 'output'), `${place}.output`))
  return { role: 'tool', tool_call_id: textAt(item, 'call_id', place), content }
}

/** Thoughts as content, or as a summary where they came as such. */
function thoughtsOf(item: PyValue): string {
  const texts = (key: string) => {
    const parts = fieldOf(item, key)
    return isList(parts) ? parts.map((part) => fieldOf(part, 'text')).filter((text) => typeof text === 'string') : []
  }
  const content = texts('content')
  return (content.length > 0 ? content : texts('summary')).join('\n')
}

function partsOf(content: PyValue | undefined, place: string): ChatPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!isList(content)) throw new ApiError(400, { message: `${place}: this must be a text or a list`, param: place, code: 'invalid_value' })
  return content.map((part, index) => {
    const at = `${place}[${index}]`
    const type = fieldOf(part, 'type')
    switch (type) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return { type: 'text', text: textAt(part, 'text', at) }
      case 'refusal':
        return { type: 'text', text: textAt(part, 'refusal', at) }
      case 'input_image':
        return { type: 'image_url', image_url: { url: textAt(part, 'image_url', at) } }
      default:
        throw unsupported(at, `content of the type "${String(type)}" is not supported here`)
    }
  })
}

function unsupported(param: string, problem: string): ApiError {
  return new ApiError(400, { message: `${param}: ${problem}`, param, code: 'unsupported' })
}
