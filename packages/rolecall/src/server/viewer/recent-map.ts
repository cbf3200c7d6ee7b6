/** A map that keeps only the most recently used entries. */
export class RecentMap<Key, Value> {
  readonly #most: number
  /** The least recently used first. */
  readonly #entries = new Map<Key, Value>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: Key): Value | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#most) this.#entries.delete(oldest!)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }
}
