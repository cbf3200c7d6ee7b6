import type { ChatMessage, ChatPart, ChatToolCall } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, isDict, isList, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { badField } from '../api-error.ts'
import { type AssistantParts, addAssistantPart, assistantMessage, contentOf, type PlacedMessage } from '../converted-chat.ts'
import { customArguments } from '../custom-tools.ts'
import { exactField, exactText } from '../exact-fields.ts'
import type { ResponseTools } from './response-tools.ts'

/** An input item and its path in the request. */
export type PlacedItem = { item: PyValue; place: string }

/** What the items of a request are read with. */
export type ItemReading = { tools: ResponseTools; problems: string[] }

/** Adds the tools that live among the items: Codex lists its own there, and a client's search finds further ones. */
export function readToolItems(items: readonly PlacedItem[], tools: ResponseTools): void {
  for (const { item, place } of items) {
    const type = exactField(item, 'type')
    const found = type === 'additional_tools' || type === 'tool_search_output' ? exactField(item, 'tools') : undefined
    if (isList(found)) tools.add(found, `${place}.tools`)
  }
}

/** Converts items into messages. Consecutive items of the assistant (reasoning, text, calls) form one message. */
export function readInputItems(items: readonly PlacedItem[], reading: ItemReading): PlacedMessage[] {
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
  const add = (message: ChatMessage, place: string) => {
    flush()
    found.push({ message, place })
  }
  for (const { item, place } of items) {
    const type = exactField(item, 'type') ?? 'message'
    switch (type) {
      case 'message': {
        const role = exactText(item, 'role', place)
        const parts = partsOf(exactField(item, 'content'), `${place}.content`, reading)
        if (role !== 'assistant') {
          add({ role, content: contentOf(parts) }, place)
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
      // Another agent has written to this one.
      case 'agent_message':
        add({ role: 'user', content: contentOf(partsOf(exactField(item, 'content'), `${place}.content`, reading)) }, place)
        break
      case 'additional_tools':
        break
      // Run by the vendor's server: call and result are one item.
      case 'mcp_call': {
        const id = exactText(item, 'id', place)
        current(place).calls.push({ id, type: 'function', function: calledFunction(item, place, reading) })
        const result = exactField(item, 'output') ?? exactField(item, 'error') ?? ''
        add({ role: 'tool', tool_call_id: id, content: typeof result === 'string' ? result : jsonOf(result) }, place)
        break
      }
      default:
        if (isResult(type)) add(readResult(item, place, reading), place)
        else if (isCall(item, type)) current(place).calls.push(readCall(item, place, reading))
        else reading.problems.push(`${place}: left out, since items of type "${String(type)}" cannot be read here`)
    }
  }
  flush()
  return found
}

/** Of a function, of a custom tool, of the local shell, of a client's search, …: they all have an id that the result repeats. */
function isCall(item: PyValue, type: PyValue): boolean {
  return typeof type === 'string' && type.endsWith('_call') && callIdOf(item) !== undefined
}

function isResult(type: PyValue): boolean {
  return typeof type === 'string' && (type.endsWith('_call_output') || type === 'tool_search_output')
}

function readCall(item: PyValue, place: string, reading: ItemReading): ChatToolCall {
  return { id: callIdOf(item) ?? '', type: 'function', function: calledFunction(item, place, reading) }
}

function callIdOf(item: PyValue): string | undefined {
  const id = exactField(item, 'call_id')
  return typeof id === 'string' ? id : undefined
}

function calledFunction(item: PyValue, place: string, { tools }: ItemReading): { name: string; arguments: string } {
  const type = exactField(item, 'type')
  const namespace = exactField(item, 'namespace')
  switch (type) {
    case 'function_call':
    case 'mcp_call':
    case 'custom_tool_call': {
      const name = tools.modelName(exactText(item, 'name', place), typeof namespace === 'string' ? namespace : undefined)
      const isCustom = type === 'custom_tool_call'
      return { name, arguments: isCustom ? customArguments(exactText(item, 'input', place)) : argumentsOf(item, place) }
    }
    default: {
      // `local_shell_call` has an action, `apply_patch_call` an operation, `tool_search_call` arguments.
      const input = ['action', 'operation', 'arguments', 'actions'].map((key) => exactField(item, key)).find((value) => value !== undefined)
      return { name: tools.modelName(String(type).replace(/_call$/, '')), arguments: jsonOf(withoutType(input ?? {})) }
    }
  }
}

/** JSON as text, as the API has it, or an object. */
function argumentsOf(item: PyValue, place: string): string {
  const written = exactField(item, 'arguments')
  return isDict(written) ? jsonOf(written) : exactText(item, 'arguments', place)
}

function withoutType(value: PyValue): PyValue {
  return isDict(value) ? dictFromEntries(dictEntries(value).filter(([key]) => key !== 'type')) : value
}

function jsonOf(value: PyValue): string {
  return stringifyJson(value, { ensureAscii: false })
}

function readResult(item: PyValue, place: string, reading: ItemReading): ChatMessage {
  // The id of a `local_shell_call_output` is that of its call.
  const id = callIdOf(item) ?? exactText(item, 'id', place)
  if (exactField(item, 'type') === 'tool_search_output') return { role: 'tool', tool_call_id: id, content: loadedTools(item) }
  const output = exactField(item, 'output')
  const isUntyped = isDict(output) || (isList(output) && output.some((part) => isDict(part) && exactField(part, 'type') === undefined))
  const content = isUntyped ? (screenshotOf(output) ?? jsonOf(output)) : contentOf(partsOf(output ?? '', `${place}.output`, reading))
  return { role: 'tool', tool_call_id: id, content }
}

/** The result of a `computer_call`. */
function screenshotOf(output: PyValue): ChatPart[] | undefined {
  const url = exactField(output, 'image_url')
  return typeof url === 'string' ? [{ type: 'image_url', image_url: { url } }] : undefined
}

/** Their declarations are in the list of tools. */
function loadedTools(item: PyValue): string {
  const tools = exactField(item, 'tools')
  const names = (isList(tools) ? tools : []).map((tool) => exactField(tool, 'name')).filter((name) => typeof name === 'string')
  return names.length === 0 ? 'No tools were found.' : `Now available: ${names.join(', ')}.`
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

function partsOf(content: PyValue | undefined, place: string, { problems }: ItemReading): ChatPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!isList(content)) throw badField(place, 'expected a string or an array')
  return content.flatMap((part, index): ChatPart[] => {
    const at = `${place}[${index}]`
    const type = exactField(part, 'type')
    switch (type) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return [{ type: 'text', text: exactText(part, 'text', at) }]
      case 'refusal':
        return [{ type: 'text', text: exactText(part, 'refusal', at) }]
      case 'input_image':
        return [{ type: 'image_url', image_url: { url: exactText(part, 'image_url', at), ...detailOf(part) } }]
      case 'input_audio':
        return [{ type, input_audio: exactField(part, 'input_audio') as { data: string; format: string } }]
      case 'input_file':
        return [{ type: 'file', file: fileOf(part, at) }]
      default:
        problems.push(`${at}: left out, since content of type "${String(type)}" cannot be read here`)
        return []
    }
  })
}
