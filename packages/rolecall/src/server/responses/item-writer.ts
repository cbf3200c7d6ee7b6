import type { PyValue } from '@rolecall/core/internal/python'
import type { Delta } from '../chat/delta-writer.ts'
import { customInput } from '../custom-tools.ts'
import { newId } from '../new-id.ts'
import type { Send } from '../stream-events.ts'
import type { OutputItem } from './response-memory.ts'
import type { ClientTool, ResponseTools } from './response-tools.ts'

type TextKind = keyof typeof parts
type CallKind = `${'function' | 'tool_search' | 'local_shell'}_call` | 'custom_tool_call'

/** The item being written; `head` has its fields other than the text. */
type OpenItem = { kind: TextKind | CallKind; id: string; head: { [key: string]: string }; text: string }

const callKinds: Readonly<Record<ClientTool['type'], { kind: CallKind; prefix: string }>> = {
  function: { kind: 'function_call', prefix: 'fc' },
  custom: { kind: 'custom_tool_call', prefix: 'ctc' },
  tool_search: { kind: 'tool_search_call', prefix: 'tsc' },
  local_shell: { kind: 'local_shell_call', prefix: 'lsh' },
}

export type ItemWriterOptions = {
  /** Absent if the response is not streamed. */
  send?: Send
  /** What the tools of the request are to the client. */
  tools: ResponseTools
  /** Return reasoning as the requested summary instead of content. */
  asSummary: boolean
}

/** Event names and part constructors of text items. */
const parts = {
  message: { part: 'content_part', index: 'content_index', text: 'output_text', of: textPart },
  content: { part: 'content_part', index: 'content_index', text: 'reasoning_text', of: thoughtPart },
  summary: { part: 'reasoning_summary_part', index: 'summary_index', text: 'reasoning_summary_text', of: summaryPart },
} as const

/** Converts deltas into the items of a response, and sends their events. */
export class ItemWriter {
  readonly #options: ItemWriterOptions
  readonly #send: Send
  readonly items: OutputItem[] = []
  #open: OpenItem | undefined
  /** The whole reasoning. */
  thoughts = ''

  constructor(options: ItemWriterOptions) {
    this.#options = options
    this.#send = options.send ?? (() => {})
  }

  write({ content, reasoning_content: thought, tool_calls: calls = [] }: Delta): void {
    if (thought) {
      this.thoughts += thought
      this.#add(this.#options.asSummary ? 'summary' : 'content', 'rs', thought)
    }
    if (content) this.#add('message', 'msg', content)
    for (const { id, function: called } of calls) {
      // The first chunk of a call has its id.
      if (id !== undefined) {
        const { type, name, namespace } = this.#options.tools.find(called?.name ?? '')
        const { kind, prefix } = callKinds[type]
        this.#begin(kind, prefix, namespace === undefined ? { call_id: id, name } : { call_id: id, name, namespace })
      }
      this.#grow(called?.arguments ?? '')
    }
  }

  /** Closes the last item; `status` says whether it is complete. */
  end(status: 'completed' | 'incomplete' = 'completed'): void {
    const open = this.#open
    if (!open) return
    this.#open = undefined
    const { kind, id, text, head } = open
    const output_index = this.items.length
    const at = { item_id: id, output_index }
    const send = (type: string, more: object) => this.#send({ type: `response.${type}`, ...at, ...more })
    if (kind === 'function_call') send('function_call_arguments.done', { name: head.name, arguments: text })
    else if (kind === 'custom_tool_call') {
      const input = customInput(text)
      send('custom_tool_call_input.delta', { delta: input })
      send('custom_tool_call_input.done', { input })
    } else if (isTextKind(kind)) {
      const { part, index, text: name, of } = parts[kind]
      send(`${name}.done`, { [index]: 0, text, ...(kind === 'message' ? { logprobs: [] } : {}) })
      send(`${part}.done`, { [index]: 0, part: of(text) })
    }
    const item = itemOf(open, status)
    this.items.push(item)
    this.#send({ type: 'response.output_item.done', output_index, item })
  }

  #add(kind: TextKind, prefix: string, text: string): void {
    if (this.#open?.kind !== kind) this.#begin(kind, prefix, {})
    this.#grow(text)
  }

  #begin(kind: OpenItem['kind'], prefix: string, head: OpenItem['head']): void {
    this.end()
    const open: OpenItem = { kind, id: newId(prefix, '_'), head, text: '' }
    this.#open = open
    const output_index = this.items.length
    this.#send({ type: 'response.output_item.added', output_index, item: itemOf(open, 'in_progress') })
    if (!isTextKind(kind)) return
    const { part, index, of } = parts[kind]
    this.#send({ type: `response.${part}.added`, item_id: open.id, output_index, [index]: 0, part: of('') })
  }

  #grow(text: string): void {
    const open = this.#open
    if (!open || text === '') return
    open.text += text
    const { kind, id } = open
    const at = { item_id: id, output_index: this.items.length, delta: text }
    // What other calls say is known only when their JSON is complete.
    if (kind === 'function_call') this.#send({ type: 'response.function_call_arguments.delta', ...at })
    else if (isTextKind(kind)) {
      const { index, text: name } = parts[kind]
      this.#send({ type: `response.${name}.delta`, ...at, [index]: 0, ...(kind === 'message' ? { logprobs: [] } : {}) })
    }
  }
}

function isTextKind(kind: OpenItem['kind']): kind is TextKind {
  return Object.hasOwn(parts, kind)
}

function itemOf({ kind, id, head, text }: OpenItem, status: string): OutputItem {
  const isBegun = status !== 'in_progress'
  switch (kind) {
    case 'message':
      return { id, type: 'message', role: 'assistant', status, content: isBegun ? [textPart(text)] : [] }
    case 'content':
      return { id, type: 'reasoning', status, summary: [], content: isBegun ? [thoughtPart(text)] : [], encrypted_content: null }
    case 'summary':
      return { id, type: 'reasoning', status, summary: isBegun ? [summaryPart(text)] : [], encrypted_content: null }
    case 'function_call':
      return { id, type: kind, ...head, arguments: text, status }
    case 'custom_tool_call':
      return { id, type: kind, ...head, input: isBegun ? customInput(text) : '', status }
    case 'tool_search_call':
    case 'local_shell_call': {
      const input = isBegun ? objectIn(text) : {}
      // The client has to see what the model wrote, even if it means nothing.
      if (!input) return { id, type: 'function_call', ...head, arguments: text, status }
      const call_id = head.call_id ?? ''
      return kind === 'tool_search_call'
        ? { id, type: kind, call_id, execution: 'client', status, arguments: input }
        : { id, type: kind, call_id, status, action: { type: 'exec', env: {}, ...input } }
    }
    default:
      return kind satisfies never
  }
}

function objectIn(written: string): { [key: string]: PyValue } | undefined {
  try {
    const value: unknown = JSON.parse(written.trim() === '' ? '{}' : written)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as { [key: string]: PyValue }) : undefined
  } catch {
    return undefined
  }
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function thoughtPart(text: string) {
  return { type: 'reasoning_text', text }
}

function summaryPart(text: string) {
  return { type: 'summary_text', text }
}
