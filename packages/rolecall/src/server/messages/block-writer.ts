import type { PyValue } from '@rolecall/core/internal/python'
import { parseJson } from '@rolecall/core/internal/python'
import type { Delta } from '../chat/delta-writer.ts'
import type { Send } from '../stream-events.ts'

type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; written: string }

/** Converts deltas into Anthropic's content blocks, and sends their events. */
export class BlockWriter {
  readonly #send: Send
  readonly #blocks: Block[] = []
  #isOpen = false

  /** Without `send`, only collects the message. */
  constructor(send: Send = () => {}) {
    this.#send = send
  }

  write({ content, reasoning_content: thought, tool_calls: calls = [] }: Delta): void {
    if (thought) {
      const block = this.#last('thinking') ?? this.#begin({ type: 'thinking', thinking: '', signature: '' })
      block.thinking += thought
      this.#sendDelta({ type: 'thinking_delta', thinking: thought })
    }
    if (content) {
      const block = this.#last('text') ?? this.#begin({ type: 'text', text: '' })
      block.text += content
      this.#sendDelta({ type: 'text_delta', text: content })
    }
    for (const { id, function: called } of calls) {
      // The first chunk of a call has its id.
      if (id !== undefined) this.#begin({ type: 'tool_use', id, name: called?.name ?? '', written: '' })
      const block = this.#last('tool_use')
      const chunk = called?.arguments ?? ''
      if (!block || chunk === '') continue
      block.written += chunk
      this.#sendDelta({ type: 'input_json_delta', partial_json: chunk })
    }
  }

  /** Closes the last block. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const index = this.#blocks.length - 1
    // Clients expect a signature; it is empty, since thoughts are not verified when they come back.
    if (this.#blocks[index]?.type === 'thinking') this.#sendDelta({ type: 'signature_delta', signature: '' })
    this.#send({ type: 'content_block_stop', index })
  }

  /** The content of the whole message. */
  content(): PyValue[] {
    return this.#blocks.map((block): PyValue => {
      if (block.type !== 'tool_use') return { ...block }
      return { type: block.type, id: block.id, name: block.name, input: inputOf(block.written) }
    })
  }

  #begin<Kind extends Block>(block: Kind): Kind {
    this.end()
    this.#isOpen = true
    this.#blocks.push(block)
    const shown = block.type === 'tool_use' ? { type: block.type, id: block.id, name: block.name, input: {} } : { ...block }
    this.#send({ type: 'content_block_start', index: this.#blocks.length - 1, content_block: shown })
    return block
  }

  #last<Type extends Block['type']>(type: Type): (Block & { type: Type }) | undefined {
    const last = this.#isOpen ? this.#blocks.at(-1) : undefined
    return last?.type === type ? (last as Block & { type: Type }) : undefined
  }

  #sendDelta(delta: object): void {
    this.#send({ type: 'content_block_delta', index: this.#blocks.length - 1, delta })
  }
}

/** The exact arguments; invalid JSON is returned as text. */
function inputOf(written: string): PyValue {
  if (written.trim() === '') return {}
  try {
    return parseJson(written)
  } catch {
    return written
  }
}
