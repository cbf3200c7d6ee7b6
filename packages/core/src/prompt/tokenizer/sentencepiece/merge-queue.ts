/** Waiting merges, best first: a binary heap over two arrays, since a long run has a million of them. */
export class MergeQueue {
  #keys: Float64Array
  #pieces: Int32Array
  size = 0

  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity)
    this.#pieces = new Int32Array(capacity)
  }

  /** The key of the best merge; it stays until `pop`. */
  get key(): number {
    return this.#keys[0]!
  }

  /** The piece that the best merge makes. */
  get piece(): number {
    return this.#pieces[0]!
  }

  push(key: number, piece: number): void {
    if (this.size === this.#keys.length) this.#grow()
    const keys = this.#keys
    const pieces = this.#pieces
    let at = this.size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (keys[parent]! <= key) break
      keys[at] = keys[parent]!
      pieces[at] = pieces[parent]!
      at = parent
    }
    keys[at] = key
    pieces[at] = piece
  }

  pop(): void {
    const keys = this.#keys
    const pieces = this.#pieces
    const size = --this.size
    const key = keys[size]!
    const piece = pieces[size]!
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++
      if (key <= keys[child]!) break
      keys[at] = keys[child]!
      pieces[at] = pieces[child]!
      at = child
    }
    keys[at] = key
    pieces[at] = piece
  }

  #grow(): void {
    const capacity = Math.max(16, this.#keys.length * 2)
    const keys = new Float64Array(capacity)
    keys.set(this.#keys)
    this.#keys = keys
    const pieces = new Int32Array(capacity)
    pieces.set(this.#pieces)
    this.#pieces = pieces
  }
}
