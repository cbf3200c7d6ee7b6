import type { ReplyEvent } from '../../../model/reply/index.ts'
import { ApiError } from '../api-error.ts'
import { newId } from '../server-context.ts'

/** A piece of a call: its name and id come first, then its arguments bit by bit. */
export type CallDelta = {
  index: number
  id?: string
  type?: 'function' | 'code_interpreter'
  function?: { name?: string; arguments: string }
  code_interpreter?: { input: string }
}

/** A piece of a message, as streams carry it. */
export type Delta = { role?: 'assistant'; content?: string; reasoning_content?: string; tool_calls?: CallDelta[] }

/** Turns what is read in a reply into the pieces of a message. Whole messages are made of the same pieces. */
export class DeltaWriter {
  /** What is wrong with the model's calls, for those who look: they are handed on as they are. */
  readonly problems: string[] = []
  readonly #sent = new Map<number, { index: number; characters: number }>()
  /** White space that may turn out to stand only beside calls, where it says nothing; undefined once words have come. */
  #space: string | undefined = ''
  /** The reply's text between two places. */
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
          return this.#say(event.text)
        case 'reasoning':
          return event.text === '' ? [] : [{ reasoning_content: event.text }]
        case 'call-name': {
          const index = this.#begin(event.index)
          return [
            {
              tool_calls: [{ index, id: event.id ?? newId('call', '_'), type: 'function', function: { name: event.name, arguments: '' } }],
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
          // A stream cannot take back what it has sent.
          throw new ApiError(502, { message: 'the model gave the arguments of a call twice', code: 'arguments_twice' })
        case 'code':
          // A fence that never closes changes what the code is, so that it is sent when it is whole.
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

  /** There is no more: a reply that is only white space says that. */
  end(): Delta[] {
    const space = this.calls === 0 ? this.#space : undefined
    this.#space = undefined
    return space ? [{ content: space }] : []
  }

  #say(text: string): Delta[] {
    if (text === '') return []
    if (this.#space === undefined) return [{ content: text }]
    const said = this.#space + text
    this.#space = said.trim() === '' ? said : undefined
    return this.#space === undefined ? [{ content: said }] : []
  }

  #end({ index, call }: ReplyEvent & { type: 'call-end' }): Delta[] {
    if (call.kind === 'call') {
      for (const { path, problem } of call.problems ?? []) this.problems.push(`${call.name}: ${path === '' ? '' : `${path} `}${problem}`)
      return []
    }
    if (call.kind === 'code') {
      const id = newId('call', '_')
      return [{ tool_calls: [{ index: this.#begin(index), id, type: 'code_interpreter', code_interpreter: { input: call.code } }] }]
    }
    // A call whose name was read is handed on with what there is of its arguments; anything less is text.
    return this.#sent.has(index) ? [] : this.#say(this.#written(Math.max(0, call.at[0]), call.at[1]))
  }

  #begin(index: number): number {
    this.#space = ''
    const next = this.#sent.size
    this.#sent.set(index, { index: next, characters: 0 })
    return next
  }
}

/** The message that pieces add up to. */
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
