import type { PyValue } from '../../python/index.ts'

/** An item that a response put out: words, thoughts or a call. */
export type OutputItem = { readonly [key: string]: PyValue } & { readonly id: string }

/** A response that others can go on from. */
export type KeptResponse = {
  /** As it was answered. */
  response: { id: string; output: readonly OutputItem[] }
  /** What was said before it, and what it was asked, as items of an input. */
  before: readonly PyValue[]
  input: readonly PyValue[]
  /** How much all of it holds, about. */
  bytes: number
}

export type MemoryLimits = {
  /** The most responses that are kept. */
  responses: number
  /** The most that they hold together. */
  bytes: number
}

/** Keeps the latest responses, so that a client need not send a chat again to go on with it. Nothing outlives the process. */
export class ResponseMemory {
  readonly #limits: MemoryLimits
  readonly #kept = new Map<string, KeptResponse>()
  readonly #items = new Map<string, OutputItem>()
  #bytes = 0

  constructor(limits: MemoryLimits) {
    this.#limits = limits
  }

  /** The oldest make room. One that is larger than all that may be kept is not kept itself. */
  keep(kept: KeptResponse): void {
    this.#kept.set(kept.response.id, kept)
    this.#bytes += kept.bytes
    for (const item of kept.response.output) this.#items.set(item.id, item)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.responses && this.#bytes <= this.#limits.bytes) return
      this.forget(oldest)
    }
  }

  find(id: string): KeptResponse | undefined {
    return this.#kept.get(id)
  }

  /** What one of the responses put out. */
  findItem(id: string): OutputItem | undefined {
    return this.#items.get(id)
  }

  /** Whether there was something to forget. */
  forget(id: string): boolean {
    const kept = this.#kept.get(id)
    if (!kept) return false
    this.#kept.delete(id)
    this.#bytes -= kept.bytes
    for (const item of kept.response.output) this.#items.delete(item.id)
    return true
  }
}
