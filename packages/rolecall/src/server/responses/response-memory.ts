import type { PyValue } from '@rolecall/core/internal/python'

/** An output item of a response: a message, reasoning or a call. */
export type OutputItem = { readonly [key: string]: PyValue } & { readonly id: string }

/** A response that later requests can continue. */
export type StoredResponse = {
  response: { id: string; output: readonly OutputItem[] }
  /** Items of earlier responses, and of this request. */
  before: readonly PyValue[]
  input: readonly PyValue[]
  /** Approximate size. */
  bytes: number
}

/** Maximum number of stored responses, and their maximum total size. */
export type ResponseMemoryLimits = { responses: number; bytes: number }

/** The responses of one client. */
export type ClientResponses = {
  keep(kept: StoredResponse): void
  find(id: string): StoredResponse | undefined
  /** An output item of any response. */
  findItem(id: string): OutputItem | undefined
  forget(id: string): void
}

type Owned = { client: string | undefined; kept: StoredResponse }

/** Keeps recent responses in memory, so that clients can continue a chat without resending it. */
export class ResponseMemory {
  readonly #limits: ResponseMemoryLimits
  readonly #owned = new Map<string, Owned>()
  /** The response of each item. */
  readonly #items = new Map<string, string>()
  #bytes = 0

  constructor(limits: ResponseMemoryLimits) {
    this.#limits = limits
  }

  /** The view of one client: clients with keys do not see each other's responses. */
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

  /** Evicts the oldest responses; one that exceeds the limit is evicted itself. */
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
