const encoder = new TextEncoder()

/** A reusable buffer for UTF-8; it grows when needed and never shrinks. */
export class ByteSink {
  bytes: Uint8Array
  #words: Int32Array
  #tail: Uint8Array
  #tailStart = 0
  /** How many bytes are written. */
  length = 0

  constructor(capacity = 65_536) {
    this.bytes = new Uint8Array(Math.ceil(capacity / 4) * 4)
    this.#words = new Int32Array(this.bytes.buffer)
    this.#tail = this.bytes
  }

  clear(): void {
    this.length = 0
  }

  /** The bytes written so far; valid until the next write. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    // Calling out costs more than copying a few bytes does.
    if (bytes.length < 32) for (let index = 0; index < bytes.length; index++) this.bytes[this.length + index] = bytes[index]!
    else this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  writeText(text: string): void {
    this.#reserve(text.length * 3)
    // Calling out to the encoder costs more than a short text does.
    this.length = text.length < shortText ? this.#writeShort(text) : this.#encode(text, 0, this.length)
  }

  /**
   * Whether any of some chunks of ASCII (`count` numbers: start and end after `at`, alternating) needs escaping in a JSON string.
   * Four bytes are looked at together, which is what makes writing messages as fast as writing text.
   */
  needsJsonEscapes(at: number, chunks: Int32Array, count: number): boolean {
    const { bytes } = this
    const words = this.#words
    for (let chunk = 0; chunk < count; chunk += 2) {
      const start = at + chunks[chunk]!
      const end = at + chunks[chunk + 1]!
      const firstWord = (start + 3) >> 2
      const lastWord = end >> 2
      let found = 0
      for (let word = firstWord; word < lastWord; word++) {
        const four = words[word]!
        const quotes = four ^ 0x22222222
        const slashes = four ^ 0x5c5c5c5c
        // A byte below 0x20, or zero after the exclusive or, borrows into its highest bit.
        found |= ((four - 0x20202020) & ~four) | ((quotes - 0x01010101) & ~quotes) | ((slashes - 0x01010101) & ~slashes)
      }
      if ((found & 0x80808080) !== 0) return true
      const head = Math.min(firstWord * 4, end)
      for (let index = start; index < head; index++) if (isJsonSpecial(bytes[index]!)) return true
      for (let index = Math.max(lastWord * 4, head); index < end; index++) if (isJsonSpecial(bytes[index]!)) return true
    }
    return false
  }

  #writeShort(text: string): number {
    const { bytes } = this
    let at = this.length
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code < 0x80) bytes[at++] = code
      else if (code < 0x800) {
        bytes[at++] = 0xc0 | (code >> 6)
        bytes[at++] = 0x80 | (code & 0x3f)
      } else if (code < 0xd800 || code > 0xdfff) {
        bytes[at++] = 0xe0 | (code >> 12)
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
        bytes[at++] = 0x80 | (code & 0x3f)
      } else return this.#encode(text, index, at)
    }
    return at
  }

  #encode(text: string, from: number, at: number): number {
    const rest = from === 0 ? text : text.slice(from)
    // Creating a view costs as much as writing a few hundred bytes, and after a fixed prefix it is the same view again.
    if (at !== this.#tailStart) {
      this.#tail = this.bytes.subarray(at)
      this.#tailStart = at
    }
    return at + encoder.encodeInto(rest, this.#tail).written
  }

  #reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.ceil(Math.max(this.bytes.length * 2, this.length + more) / 4) * 4)
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
    this.#words = new Int32Array(grown.buffer)
    this.#tail = grown
    this.#tailStart = 0
  }
}

const shortText = 48

function isJsonSpecial(byte: number): boolean {
  return byte < 0x20 || byte === 0x22 || byte === 0x5c
}
