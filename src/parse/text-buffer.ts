/**
 * Collects a text from many small pieces. Adding strings one by one leaves a chain of half-built ones that all stay in
 * memory; joining some hundreds at a time does not.
 */
export class TextBuffer {
  length = 0
  #text = ''
  #count = 0
  /** Used again after each join, since growing an array costs more than joining it. */
  readonly #pieces: string[] = []

  add(piece: string): void {
    this.length += piece.length
    this.#pieces[this.#count++] = piece
    if (this.#count === maxPieces) this.#join()
  }

  clear(): void {
    this.length = 0
    this.#text = ''
    this.#count = 0
  }

  toString(): string {
    if (this.#count > 0) this.#join()
    return this.#text
  }

  #join(): void {
    const isFull = this.#count === this.#pieces.length
    const joined = this.#count === 1 ? this.#pieces[0]! : (isFull ? this.#pieces : this.#pieces.slice(0, this.#count)).join('')
    this.#text = this.#text === '' ? joined : this.#text + joined
    this.#count = 0
  }
}

const maxPieces = 512
