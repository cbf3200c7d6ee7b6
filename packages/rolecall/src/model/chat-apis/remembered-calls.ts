const most = 500

/**
 * What a reply had beside its calls and the API wants back with them: signed reasoning. It is kept by the id of a call for as long as a chat
 * with tools goes on in this process; the oldest go first.
 */
export class RememberedCalls<Value> {
  readonly #byId = new Map<string, Value>()

  keep(id: string, value: Value): void {
    this.#byId.delete(id)
    this.#byId.set(id, value)
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= most) break
      this.#byId.delete(oldest)
    }
  }

  of(id: string): Value | undefined {
    return this.#byId.get(id)
  }
}
