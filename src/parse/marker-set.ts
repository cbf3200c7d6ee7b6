export type Marker<Meaning> = { text: string; meaning: Meaning }

/** `partial`: the text ends with what may become a marker. */
export type MarkerStatus = 'found' | 'partial' | 'none'

/**
 * Finds the next of several markers. It jumps from one possible first character to the next, so that text without them is
 * passed at the speed of `indexOf`. Where the last one was found is in `at`, `length` and `meaning`.
 */
export class MarkerSet<Meaning> {
  at = -1
  length = 0
  meaning: Meaning | undefined
  /** By the character's code, whether a marker may start with it. All characters beyond ASCII share one entry. */
  readonly #starts = new Uint8Array(129)
  readonly #markers: readonly (Marker<Meaning> & { second: number })[]
  #table: Uint8Array | undefined
  #marked: Uint8Array | undefined
  readonly #only: string | undefined
  readonly #pattern: RegExp

  constructor(markers: readonly Marker<Meaning>[]) {
    // The longest first: a marker that begins another one must not hide it.
    this.#markers = markers
      .map((marker) => ({ ...marker, second: marker.text.charCodeAt(1) }))
      .sort((a, b) => b.text.length - a.text.length)
    const first = [...new Set(markers.map(({ text }) => text.charCodeAt(0)))]
    for (const code of first) this.#starts[Math.min(code, 128)] = 1
    this.#only = first.length === 1 ? String.fromCharCode(first[0]!) : undefined
    this.#pattern = new RegExp(`[${first.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}]`, 'g')
  }

  /** Whether a marker may start with this character. */
  startsWith(code: number): boolean {
    return this.#starts[code < 128 ? code : 128] === 1
  }

  /**
   * A table of what characters are, by their code (those beyond ASCII share the last entry), in which those that may start a
   * marker are `mark`: one look then tells both.
   */
  markIn(table: Uint8Array, mark: number): Uint8Array {
    if (this.#table !== table) {
      this.#table = table
      this.#marked = table.map((kind, code) => (this.#starts[code] === 1 ? mark : kind))
    }
    return this.#marked!
  }

  /** Whether a marker may start somewhere in it. */
  mayStartIn(text: string): boolean {
    for (let at = 0; at < text.length; at++) if (this.startsWith(text.charCodeAt(at))) return true
    return false
  }

  /** Looks for the next marker. At the end of a text (`isFinal`) what might have become one is none. */
  find(text: string, from: number, isFinal: boolean): MarkerStatus {
    // Most pieces of a stream are a few characters, for which a loop is faster than a search.
    if (text.length - from <= 8) return this.#findInShort(text, from, isFinal)
    for (let at = this.#candidate(text, from); at >= 0; at = this.#candidate(text, at + 1)) {
      const status = this.match(text, at, isFinal)
      if (status !== 'none') return status
    }
    return 'none'
  }

  /** Whether a marker starts right here. */
  match(text: string, at: number, isFinal: boolean): MarkerStatus {
    const left = text.length - at
    const second = left > 1 ? text.charCodeAt(at + 1) : -1
    let rest: string | undefined
    for (const marker of this.#markers) {
      if (second !== marker.second && left > 1 && marker.text.length > 1) continue
      if (left >= marker.text.length) {
        if (!text.startsWith(marker.text, at)) continue
        this.at = at
        this.length = marker.text.length
        this.meaning = marker.meaning
        return 'found'
      }
      if (isFinal) continue
      rest ??= text.slice(at)
      if (marker.text.startsWith(rest)) {
        this.at = at
        return 'partial'
      }
    }
    return 'none'
  }

  #findInShort(text: string, from: number, isFinal: boolean): MarkerStatus {
    for (let at = from; at < text.length; at++) {
      if (!this.startsWith(text.charCodeAt(at))) continue
      const status = this.match(text, at, isFinal)
      if (status !== 'none') return status
    }
    return 'none'
  }

  #candidate(text: string, from: number): number {
    if (this.#markers.length === 0) return -1
    if (this.#only !== undefined) return text.indexOf(this.#only, from)
    this.#pattern.lastIndex = from
    return this.#pattern.test(text) ? this.#pattern.lastIndex - 1 : -1
  }
}
