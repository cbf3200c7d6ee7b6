import type { CallInReply, ParsedEvent, ParsedReply } from '@rolecall/core'
import type { SdkContent, StreamPart } from './specification.ts'

/** Ids of calls: the SDK pairs calls and results by them. */
export type CallIds = () => string

/** Writes what is read of a reply as parts of the SDK's stream: texts and thoughts in blocks, calls whole and as they come. */
export class PartWriter {
  readonly #newId: CallIds
  /** Whether arguments are JSON as the model writes them; others are passed on when they are whole. */
  readonly #streamsArguments: boolean
  readonly #calls = new Map<number, { id: string; name: string; sent: string }>()
  #open: { kind: 'text' | 'reasoning'; id: string } | undefined
  #blocks = 0

  constructor(newId: CallIds, streamsArguments: boolean) {
    this.#newId = newId
    this.#streamsArguments = streamsArguments
  }

  write(event: ParsedEvent): StreamPart[] {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return this.#say(event.type, event.text)
      case 'call-name': {
        const call = { id: event.id ?? this.#newId(), name: event.name, sent: '' }
        this.#calls.set(event.index, call)
        return [...this.#closed(), { type: 'tool-input-start', id: call.id, toolName: call.name }]
      }
      case 'arguments':
        return this.#streamsArguments ? this.#arguments(event.index, event.text) : []
      case 'call-end':
        return this.#endCall(event.index, event.call)
      default:
        return []
    }
  }

  /** Closes the open block. */
  end(): StreamPart[] {
    return this.#closed()
  }

  #say(kind: 'text' | 'reasoning', delta: string): StreamPart[] {
    const opening: StreamPart[] = []
    if (this.#open?.kind !== kind) {
      opening.push(...this.#closed())
      this.#open = { kind, id: String(this.#blocks++) }
      opening.push({ type: `${kind}-start`, id: this.#open.id })
    }
    return [...opening, { type: `${kind}-delta`, id: this.#open.id, delta }]
  }

  #closed(): StreamPart[] {
    if (this.#open === undefined) return []
    const { kind, id } = this.#open
    this.#open = undefined
    return [{ type: `${kind}-end`, id }]
  }

  #arguments(index: number, delta: string): StreamPart[] {
    const call = this.#calls.get(index)
    if (call === undefined) return []
    call.sent += delta
    return [{ type: 'tool-input-delta', id: call.id, delta }]
  }

  #endCall(index: number, call: CallInReply): StreamPart[] {
    const whole = callPart(call, this.#calls.get(index)?.id ?? this.#newId())
    // What was meant to be a call, but names no tool, is text.
    if (whole.type !== 'tool-call') return this.#say('text', whole.text)
    const begun = this.#calls.get(index)
    const opening: StreamPart[] =
      begun === undefined ? [...this.#closed(), { type: 'tool-input-start', id: whole.toolCallId, toolName: whole.toolName }] : []
    const input: StreamPart[] = (begun?.sent ?? '') === '' ? [{ type: 'tool-input-delta', id: whole.toolCallId, delta: whole.input }] : []
    return [...opening, ...input, { type: 'tool-input-end', id: whole.toolCallId }, whole]
  }
}

/** A whole reply as the SDK's content. */
export function contentOf({ parts }: ParsedReply, newId: CallIds): SdkContent[] {
  return parts.map((part) =>
    part.kind === 'text' || part.kind === 'reasoning' ? { type: part.kind, text: part.text } : callPart(part, newId()),
  )
}

/** A call as one; the SDK offers to repair calls whose input is no JSON. */
function callPart(call: CallInReply, id: string) {
  if (call.kind === 'call') return { type: 'tool-call' as const, toolCallId: call.id ?? id, toolName: call.name, input: call.argumentsText }
  if (call.kind === 'code' || call.name === undefined) return { type: 'text' as const, text: call.raw }
  return { type: 'tool-call' as const, toolCallId: id, toolName: call.name, input: call.raw }
}
