/**
 * Collects a text from many small pieces. Adding strings of a character or two one by one leaves a chain of half-built ones
 * that all stay in memory; gathering their codes and making one string of some hundreds does not.
 */
export class TextBuffer {
  #text = ''
  #count = 0
  /** Used again after each flush, since growing an array costs more than filling it. */
  readonly #codes: number[] = []

  get length(): number {
    return this.#text.length + this.#count
  }

  add(piece: string): void {
    const { length } = piece
    if (length > maxShort || this.#text === '') {
      if (this.#count > 0) this.#flush()
      this.#text += piece
      return
    }
    let count = this.#count
    const codes = this.#codes
    for (let at = 0; at < length; at++) codes[count++] = piece.charCodeAt(at)
    this.#count = count
    if (count >= maxCodes) this.#flush()
  }

  clear(): void {
    this.#text = ''
    this.#count = 0
  }

  toString(): string {
    if (this.#count > 0) this.#flush()
    return this.#text
  }

  #flush(): void {
    const isFull = this.#count === this.#codes.length
    this.#text += String.fromCharCode.apply(null, isFull ? this.#codes : this.#codes.slice(0, this.#count))
    this.#count = 0
  }
}

const maxShort = 16
const maxCodes = 512
