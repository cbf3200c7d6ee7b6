import type { ChatMessage, ChatPart, ChatToolCall } from '@rolecall/core/internal/conversation'
import { isList, type PyValue } from '@rolecall/core/internal/python'
import { badField } from '../api-error.ts'
import { type AssistantParts, addAssistantPart, assistantMessage, contentOf, type PlacedMessage } from '../converted-chat.ts'
import { exactField, exactText } from '../exact-fields.ts'
import { customArguments } from './custom-tools.ts'

/** An input item and its path in the request. */
export type PlacedItem = { item: PyValue; place: string }

/** Converts items into messages. Consecutive items of the assistant (reasoning, text, calls) form one message. */
export function readInputItems(items: readonly PlacedItem[]): PlacedMessage[] {
  const found: PlacedMessage[] = []
  let assistant: AssistantParts | undefined
  const flush = () => {
    if (assistant) found.push(assistantMessage(assistant))
    assistant = undefined
  }
  const current = (place: string): AssistantParts => {
    assistant ??= { place, parts: [], thoughts: '', calls: [] }
    return assistant
  }
  for (const { item, place } of items) {
    const type = exactField(item, 'type') ?? 'message'
    switch (type) {
      case 'message': {
        const role = exactText(item, 'role', place)
        const parts = partsOf(exactField(item, 'content'), `${place}.content`)
        if (role !== 'assistant') {
          flush()
          found.push({ message: { role, content: contentOf(parts) }, place })
          break
        }
        // Two assistant messages in a row stay separate.
        if (assistant && assistant.parts.length > 0 && assistant.calls.length === 0) flush()
        const target = current(place)
        for (const part of parts) addAssistantPart(target, part)
        break
      }
      case 'reasoning':
        if (assistant && (assistant.parts.length > 0 || assistant.calls.length > 0)) flush()
        current(place).thoughts += thoughtsOf(item)
        break
      case 'function_call':
      case 'custom_tool_call':
        current(place).calls.push(readCall(item, place, type === 'custom_tool_call'))
        break
      case 'function_call_output':
      case 'custom_tool_call_output':
        flush()
        found.push({ message: readResult(item, place), place })
        break
      default:
        throw badField(place, `unsupported item type "${String(type)}"`, 'unsupported')
    }
  }
  flush()
  return found
}

function readCall(item: PyValue, place: string, isCustom: boolean): ChatToolCall {
  const written = isCustom ? customArguments(exactText(item, 'input', place)) : exactText(item, 'arguments', place)
  const called = { name: exactText(item, 'name', place), arguments: written }
  return { id: exactText(item, 'call_id', place), type: 'function', function: called }
}

function readResult(item: PyValue, place: string): ChatMessage {
  const content = contentOf(partsOf(exactField(item, 'output'), `${place}.output`))
  return { role: 'tool', tool_call_id: exactText(item, 'call_id', place), content }
}

/** The content of a reasoning item, else its summary. */
function thoughtsOf(item: PyValue): string {
  const texts = (key: string) => {
    const parts = exactField(item, key)
    return isList(parts) ? parts.map((part) => exactField(part, 'text')).filter((text) => typeof text === 'string') : []
  }
  const content = texts('content')
  return (content.length > 0 ? content : texts('summary')).join('\n')
}

/** The resolution that a client wants for an image. */
function detailOf(part: PyValue): { detail?: string } {
  const detail = exactField(part, 'detail')
  return typeof detail === 'string' ? { detail } : {}
}

/** Chats have no files by URL: without this check such a file would be sent empty. */
function fileOf(part: PyValue, at: string): { file_data?: string; file_id?: string; filename?: string } {
  const keys = ['file_data', 'file_id', 'filename'] as const
  const file = Object.fromEntries(keys.flatMap((key) => (typeof exactField(part, key) === 'string' ? [[key, exactField(part, key)]] : [])))
  if ('file_data' in file || 'file_id' in file) return file
  throw badField(at, 'a file needs file_data or file_id', 'unsupported')
}

function partsOf(content: PyValue | undefined, place: string): ChatPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!isList(content)) throw badField(place, 'expected a string or an array')
  return content.map((part, index) => {
    const at = `${place}[${index}]`
    const type = exactField(part, 'type')
    switch (type) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return { type: 'text', text: exactText(part, 'text', at) }
      case 'refusal':
        return { type: 'text', text: exactText(part, 'refusal', at) }
      case 'input_image':
        return { type: 'image_url', image_url: { url: exactText(part, 'image_url', at), ...detailOf(part) } }
      case 'input_audio':
        return { type, input_audio: exactField(part, 'input_audio') as { data: string; format: string } }
      case 'input_file':
        return { type: 'file', file: fileOf(part, at) }
      default:
        throw badField(at, `unsupported content type "${String(type)}"`, 'unsupported')
    }
  })
}
