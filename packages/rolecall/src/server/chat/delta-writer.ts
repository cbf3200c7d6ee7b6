import type { ReplyEvent } from '@rolecall/core/internal/reply'
import { ApiError } from '../api-error.ts'
import { newCallId } from '../new-id.ts'

/** A chunk of a tool call: name and id come first, then the arguments. */
export type CallDelta = {
  index: number
  id?: string
  type?: 'function' | 'code_interpreter' | 'custom'
  function?: { name?: string; arguments: string }
  code_interpreter?: { input: string }
  custom?: { name: string; input: string }
}

/** A chunk of a message. */
export type Delta = { role?: 'assistant'; content?: string; reasoning_content?: string; tool_calls?: CallDelta[] }

/** Converts the events of a parsed reply into deltas. Whole messages are joined from the same deltas. */
export class DeltaWriter {
  /** Problems of the model's calls, which are returned unchanged. */
  readonly problems: string[] = []
  readonly #sent = new Map<number, { index: number; characters: number }>()
  /** White space held back, since it is dropped next to calls; undefined once text has been sent. */
  #space: string | undefined = ''
  /** The reply's text between two offsets. */
  readonly #written: (start: number, end: number) => string

  constructor(written: (start: number, end: number) => string) {
    this.#written = written
  }

  get calls(): number {
    return this.#sent.size
  }

  write(events: readonly ReplyEvent[]): Delta[] {
    return events.flatMap((event): Delta[] => {
      switch (event.type) {
        case 'text':
          return this.#text(event.text)
        case 'reasoning':
          return event.text === '' ? [] : [{ reasoning_content: event.text }]
        case 'call-name': {
          const index = this.#begin(event.index)
          return [
            {
              tool_calls: [{ index, id: event.id ?? newCallId(), type: 'function', function: { name: event.name, arguments: '' } }],
            },
          ]
        }
        case 'arguments': {
          const sent = this.#sent.get(event.index)!
          sent.characters += event.text.length
          return [{ tool_calls: [{ index: sent.index, function: { arguments: event.text } }] }]
        }
        case 'reset':
          if ((this.#sent.get(event.index)?.characters ?? 0) === 0) return []
          // Sent chunks cannot be taken back.
          throw new ApiError(502, { message: 'the model wrote the arguments of a call twice', code: 'arguments_twice' })
        case 'code':
          // Sent when complete: an unclosed fence changes what the code is.
          return []
        case 'call-end':
          return this.#end(event)
        case 'problem':
          this.problems.push(event.problem)
          return []
        default:
          return event satisfies never
      }
    })
  }

  /** Sends held-back white space if the reply contains nothing else. */
  end(): Delta[] {
    const space = this.calls === 0 ? this.#space : undefined
    this.#space = undefined
    return space ? [{ content: space }] : []
  }

  #text(text: string): Delta[] {
    if (text === '') return []
    if (this.#space === undefined) return [{ content: text }]
    const content = this.#space + text
    this.#space = content.trim() === '' ? content : undefined
    return this.#space === undefined ? [{ content }] : []
  }

  #end({ index, call }: ReplyEvent & { type: 'call-end' }): Delta[] {
    if (call.kind === 'call') {
      for (const { path, problem } of call.problems ?? []) this.problems.push(`${call.name}: ${path === '' ? '' : `${path} `}${problem}`)
      return []
    }
    if (call.kind === 'code') {
      const id = newCallId()
      return [{ tool_calls: [{ index: this.#begin(index), id, type: 'code_interpreter', code_interpreter: { input: call.code } }] }]
    }
    // A malformed call keeps what was sent of it; without a name it is text.
    if (this.#sent.has(index)) return []
    const [start, end] = call.at
    // A call that an upstream server has parsed is not part of the reply's text.
    return this.#text(start === end ? call.raw : this.#written(Math.max(0, start), end))
  }

  #begin(index: number): number {
    this.#space = ''
    const next = this.#sent.size
    this.#sent.set(index, { index: next, characters: 0 })
    return next
  }
}

/** Joins deltas into a message. */
export function joinDeltas(deltas: readonly Delta[]) {
  let content = ''
  let reasoning = ''
  const calls: CallDelta[] = []
  for (const delta of deltas) {
    content += delta.content ?? ''
    reasoning += delta.reasoning_content ?? ''
    for (const call of delta.tool_calls ?? []) {
      const known = calls[call.index]
      if (known?.function) known.function.arguments += call.function?.arguments ?? ''
      else calls[call.index] = { ...call, ...(call.function ? { function: { ...call.function } } : {}) }
    }
  }
  return {
    role: 'assistant' as const,
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ index: _, ...call }) => call) }),
  }
}
