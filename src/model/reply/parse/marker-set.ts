import { MarkStarts } from './mark-starts.ts'

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
  readonly #markers: readonly Marker<Meaning>[]
  /** The markers by their second character, and those of one character under each: most of what only begins like a marker is told by it. */
  readonly #bySecond = new Map<number, Marker<Meaning>[]>()
  readonly #short: readonly Marker<Meaning>[]
  #table: Uint8Array | undefined
  #marked: Uint8Array | undefined
  readonly #only: string | undefined
  readonly #longest: number
  #startsInJson: 'never' | 'at-brackets' | 'anywhere' | undefined
  /** Made when it is first needed: most sets are only asked about short texts. */
  #pattern: RegExp | undefined
  #markStarts: MarkStarts | undefined

  constructor(markers: readonly Marker<Meaning>[]) {
    // The longest first: a marker that begins another one must not hide it.
    this.#markers = markers.toSorted((a, b) => b.text.length - a.text.length)
    this.#short = this.#markers.filter(({ text }) => text.length === 1)
    for (const code of new Set(this.#markers.map(({ text }) => text.charCodeAt(1)))) {
      const same = this.#markers.filter(({ text }) => text.length === 1 || text.charCodeAt(1) === code)
      if (!Number.isNaN(code)) this.#bySecond.set(code, same)
    }
    const first = [...new Set(markers.map(({ text }) => text.charCodeAt(0)))]
    for (const code of first) this.#starts[Math.min(code, 128)] = 1
    this.#only = first.length === 1 ? String.fromCharCode(first[0]!) : undefined
    this.#longest = this.#markers[0]?.text.length ?? 0
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

  /** Whether a marker may start where JSON goes on outside of its strings: not at all, only like an opening bracket, or elsewhere. */
  get startsInJson(): 'never' | 'at-brackets' | 'anywhere' {
    this.#startsInJson ??= this.mayStartIn(betweenValues) ? 'anywhere' : this.mayStartIn('{[') ? 'at-brackets' : 'never'
    return this.#startsInJson
  }

  /** Whether a marker may start somewhere in it. */
  mayStartIn(text: string): boolean {
    for (let at = 0; at < text.length; at++) if (this.startsWith(text.charCodeAt(at))) return true
    return false
  }

  /** A marker's start with the piece behind it, if that is the start of a longer marker still. */
  longerStart(start: string, piece: string): string | undefined {
    this.#markStarts ??= new MarkStarts(this.#markers.map(({ text }) => text))
    return this.#markStarts.longer(start, piece)
  }

  /** Looks for the next marker. At the end of a text (`isFinal`) what might have become one is none. */
  find(text: string, from: number, isFinal: boolean): MarkerStatus {
    // Most pieces of a stream are a few characters, for which a loop is faster than a search.
    if (text.length - from <= 8) return this.#findInShort(text, from, isFinal)
    // Only what stands near the end can be the start of a marker whose rest is still to come.
    const tail = Math.max(from, text.length - this.#longest + 1)
    const at = this.#next(text, from)
    if (at < 0 || at >= tail) return this.#findInShort(text, tail, isFinal)
    // A mark that is all there and cannot become a longer one has been found by now.
    return this.at === at && at + this.#longest <= text.length ? 'found' : this.match(text, at, isFinal)
  }

  /** Whether a marker starts right here. */
  match(text: string, at: number, isFinal: boolean): MarkerStatus {
    const left = text.length - at
    const markers = left > 1 ? (this.#bySecond.get(text.charCodeAt(at + 1)) ?? this.#short) : this.#markers
    let rest: string | undefined
    for (const marker of markers) {
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

  /** Where the next whole marker starts, or -1. */
  #next(text: string, from: number): number {
    let start = from
    if (this.#only !== undefined) {
      // In most texts the first character of a marker is one of a marker: nothing is faster than a search for it alone.
      const at = text.indexOf(this.#only, from)
      if (at < 0 || this.match(text, at, true) === 'found') return at
      start = at + 1
    }
    this.at = -1
    this.#pattern ??= new RegExp(this.#markers.map(({ text }) => escaped(text)).join('|') || '[]', 'g')
    this.#pattern.lastIndex = start
    return this.#pattern.exec(text)?.index ?? -1
  }
}

/** What may stand outside of strings, besides opening brackets. */
const betweenValues = '}],:" \t\r\n-.0123456789truefalsn'

function escaped(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
