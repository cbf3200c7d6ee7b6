import { dictEntries, dictFromEntries, isDict, isList, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { functionTool } from '../converted-chat.ts'
import { customArguments, customInput, customSchema } from '../custom-tools.ts'
import { exactField } from '../exact-fields.ts'
import type { CallDelta, Delta } from './delta-writer.ts'

// Custom tools take free text. Formats know only functions: the model sees a function with one string, and its calls are converted back.

/** The tools of a chat with functions in place of custom tools. */
export function customAsFunctions(tools: readonly PyValue[]): readonly PyValue[] {
  return tools.map((tool) => {
    const custom = customIn(tool)
    return custom ? functionTool(custom, customSchema(custom)) : tool
  })
}

/** The names of the custom tools of a chat. */
export function customNames(tools: readonly unknown[]): ReadonlySet<string> {
  const names = tools.map((tool) => exactField(customIn(tool as PyValue), 'name'))
  return new Set(names.filter((name) => typeof name === 'string'))
}

/** The messages of a chat with calls of functions in place of those of custom tools. */
export function customCallsAsFunctions(messages: readonly PyValue[]): readonly PyValue[] {
  return messages.map((message) => {
    const calls = exactField(message, 'tool_calls')
    if (!isDict(message) || !isList(calls) || !calls.some(customIn)) return message
    const written = calls.map((call) => functionCall(call))
    return dictFromEntries(dictEntries(message).map(([key, value]) => [key, key === 'tool_calls' ? written : value] as const))
  })
}

function customIn(value: PyValue): PyDict | undefined {
  const custom = exactField(value, 'type') === 'custom' ? exactField(value, 'custom') : undefined
  return isDict(custom) ? custom : undefined
}

function functionCall(call: PyValue): PyValue {
  const custom = customIn(call)
  if (!custom) return call
  const input = exactField(custom, 'input')
  const called = { name: exactField(custom, 'name') ?? null, arguments: customArguments(typeof input === 'string' ? input : '') }
  return { id: exactField(call, 'id') ?? null, type: 'function', function: called }
}

/** Converts the calls of custom tools in a reply back. Each is passed on when it is complete: only then its text is known. */
export class CustomCalls {
  readonly #names: ReadonlySet<string>
  #open: { call: CallDelta; name: string; written: string } | undefined

  constructor(names: ReadonlySet<string>) {
    this.#names = names
  }

  write(delta: Delta): Delta[] {
    if (this.#names.size === 0) return [delta]
    const { tool_calls: calls = [], ...rest } = delta
    const others: Delta[] = Object.keys(rest).length === 0 ? [] : [...this.end(), rest]
    return [...others, ...calls.flatMap((call) => this.#writeCall(call))]
  }

  end(): Delta[] {
    const open = this.#open
    if (!open) return []
    this.#open = undefined
    const { index, id } = open.call
    return [{ tool_calls: [{ index, id, type: 'custom', custom: { name: open.name, input: customInput(open.written) } }] }]
  }

  #writeCall(call: CallDelta): Delta[] {
    const { id, function: called } = call
    const name = called?.name
    if (id === undefined && this.#open) {
      this.#open.written += called?.arguments ?? ''
      return []
    }
    const before = this.end()
    if (id === undefined || name === undefined || !this.#names.has(name)) return [...before, { tool_calls: [call] }]
    this.#open = { call, name, written: called?.arguments ?? '' }
    return before
  }
}
