import { sliceOf } from './json-text.ts'

/**
 * Collects a text from many small pieces. Adding strings of a character or two one by one leaves a chain of half-built ones
 * that all stay in memory; gathering their codes and making one string of some hundreds does not.
 */
export class TextBuffer {
  #text = ''
  #count = 0
  /** Used again after each flush, since growing an array costs more than filling it. */
  readonly #codes: number[] = []
  /** The last part, by where it stands in another text: what follows it there only moves its end. */
  #source = ''
  #from = 0
  #to = 0

  get length(): number {
    return this.#text.length + this.#count + this.#to - this.#from
  }

  /** Adds what stands from `from` to `to` in a text. It is cut out when somebody asks for it, which is seldom if the text is long. */
  addPart(text: string, from: number, to: number): void {
    if (text.length <= maxShort) {
      if (to > from) this.add(sliceOf(text, from, to))
    } else if (this.#to === from && this.#source === text && from > 0) this.#to = to
    else {
      this.#cutOut()
      this.#source = text
      this.#from = from
      this.#to = to
    }
  }

  add(piece: string): void {
    if (this.#source !== '') this.#cutOut()
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
    this.#source = ''
    this.#from = 0
    this.#to = 0
  }

  toString(): string {
    this.#cutOut()
    return this.#text
  }

  #cutOut(): void {
    if (this.#count > 0) this.#flush()
    if (this.#to > this.#from) this.#text += this.#source.slice(this.#from, this.#to)
    this.#source = ''
    this.#from = 0
    this.#to = 0
  }

  #flush(): void {
    const isFull = this.#count === this.#codes.length
    this.#text += String.fromCharCode.apply(null, isFull ? this.#codes : this.#codes.slice(0, this.#count))
    this.#count = 0
  }
}

const maxShort = 16
const maxCodes = 512
