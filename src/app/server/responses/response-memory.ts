import type { PyValue } from '../../../base/python/index.ts'

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

/** The responses of one client. */
export type ClientResponses = {
  keep(kept: KeptResponse): void
  find(id: string): KeptResponse | undefined
  /** What one of the responses put out. */
  findItem(id: string): OutputItem | undefined
  forget(id: string): void
}

type Owned = { client: string | undefined; kept: KeptResponse }

/** Keeps the latest responses, so that a client need not send a chat again to go on with it. Nothing outlives the process. */
export class ResponseMemory {
  readonly #limits: MemoryLimits
  readonly #owned = new Map<string, Owned>()
  /** The response that put an item out. */
  readonly #items = new Map<string, string>()
  #bytes = 0

  constructor(limits: MemoryLimits) {
    this.#limits = limits
  }

  /** What a client sees: where clients have keys, none sees the responses of another. */
  of(client: string | undefined): ClientResponses {
    const find = (id: string) => {
      const found = this.#owned.get(id)
      return found?.client === client ? found?.kept : undefined
    }
    return {
      find,
      keep: (kept) => this.#keep({ client, kept }),
      findItem: (id) => find(this.#items.get(id) ?? '')?.response.output.find((item) => item.id === id),
      forget: (id) => {
        if (find(id)) this.#forget(id)
      },
    }
  }

  /** The oldest make room. One that is larger than all that may be kept is not kept itself. */
  #keep(owned: Owned): void {
    const { response, bytes } = owned.kept
    this.#owned.set(response.id, owned)
    this.#bytes += bytes
    for (const item of response.output) this.#items.set(item.id, response.id)
    for (const oldest of this.#owned.keys()) {
      if (this.#owned.size <= this.#limits.responses && this.#bytes <= this.#limits.bytes) return
      this.#forget(oldest)
    }
  }

  #forget(id: string): void {
    const { kept } = this.#owned.get(id)!
    this.#owned.delete(id)
    this.#bytes -= kept.bytes
    for (const item of kept.response.output) this.#items.delete(item.id)
  }
}
