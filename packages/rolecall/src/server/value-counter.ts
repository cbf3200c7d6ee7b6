/** How much a JSON text has of what takes time when it is read, while it arrives. */
export class ValueCounter {
  readonly #most: number
  /** Objects, lists, strings, booleans, and numbers that are not short integers. */
  #values = 0
  #commas = 0
  /** Characters outside strings, and escapes. */
  #characters = 0
  #digits = 0
  #place: 'outside' | 'string' | 'escape' = 'outside'
  /** The next escape in the text that is being added: strings without any would each look for it up to the end. */
  #nextEscape = -1

  constructor(most: number) {
    this.#most = most
  }

  get isTooMuch(): boolean {
    return this.#values > this.#most || this.#commas > 10 * this.#most || this.#characters > 100 * this.#most
  }

  add(text: string): void {
    this.#nextEscape = -1
    for (let at = 0; at < text.length; ) at = this.#place === 'outside' ? this.#outside(text, at) : this.#string(text, at)
  }

  #outside(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      this.#characters++
      if (code >= zero && code <= nine) {
        // Each is a part of a number beyond 2^53.
        if (++this.#digits % longDigits === 0) this.#values++
        continue
      }
      this.#digits = 0
      if (code === comma) this.#commas++
      else if (isValue[code]) this.#values++
      if (code !== quote) continue
      this.#place = 'string'
      return at + 1
    }
    return text.length
  }

  #string(text: string, from: number): number {
    let at = from
    // Found once, since text may have any number of escapes before the next quote.
    let nextQuote = -1
    for (;;) {
      if (this.#place === 'escape') {
        if (at >= text.length) return at
        this.#place = 'string'
        at++
      }
      if (nextQuote < at) nextQuote = indexOrEnd(text, '"', at)
      if (this.#nextEscape < at) this.#nextEscape = indexOrEnd(text, '\\', at)
      if (this.#nextEscape >= nextQuote) {
        if (nextQuote < text.length) this.#place = 'outside'
        return nextQuote + 1
      }
      this.#characters++
      this.#place = 'escape'
      at = this.#nextEscape + 1
    }
  }
}

function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}

const [quote, comma, zero, nine] = [0x22, 0x2c, 0x30, 0x39]

/** Integers with more digits are not exact in JavaScript. */
const longDigits = 16

/** Begins a string, list or object, or is part of a boolean, a decimal or an exponent. */
const isValue = Uint8Array.from({ length: 128 }, (_, code) => ('"[{.eE'.includes(String.fromCharCode(code)) ? 1 : 0))
