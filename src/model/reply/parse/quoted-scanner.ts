import type { MarkerSet } from './marker-set.ts'
import type { PythonStatus } from './python-scanner.ts'

/**
 * Follows a call whose texts stand between marks of their own (`{key:<|"|>text<|"|>}`) from its opening brace to the closing
 * one. Inside such a text only the mark that ends it counts.
 */
export class QuotedScanner {
  status: PythonStatus = 'more'
  isInString = false
  /** Where the text that is open began, counted from the brace. */
  stringFrom = 0
  #depth = 0
  #read = 0
  readonly #quote: string
  readonly #hidesMarkers: boolean

  constructor(quote: string, hidesMarkers: boolean) {
    this.#quote = quote
    this.#hidesMarkers = hidesMarkers
  }

  scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const quote = this.#quote
    let at = from
    while (at < text.length) {
      if (this.isInString) {
        const end = text.indexOf(quote, at)
        const limit = end < 0 ? text.length : end
        if (!this.#hidesMarkers && markers.find(text, at, isFinal) !== 'none' && markers.at < limit)
          return this.#stop(from, markers.at, markers.match(text, markers.at, isFinal) === 'found' ? 'marker' : 'partial')
        if (end < 0) {
          // What may be the start of the mark waits.
          const held = isFinal ? text.length : startOf(text, at, quote)
          return this.#stop(from, held, held === text.length ? 'more' : 'partial')
        }
        this.isInString = false
        at = end + quote.length
        continue
      }
      const code = text.charCodeAt(at)
      if (code === quote.charCodeAt(0)) {
        if (text.startsWith(quote, at)) {
          this.isInString = true
          this.stringFrom = this.#read + at - from
          at += quote.length
          continue
        }
        if (!isFinal && text.length - at < quote.length && quote.startsWith(text.slice(at))) return this.#stop(from, at, 'partial')
      }
      if (markers.startsWith(code)) {
        const found = markers.match(text, at, isFinal)
        if (found !== 'none') return this.#stop(from, at, found === 'found' ? 'marker' : 'partial')
      }
      at++
      if (code === 0x7b || code === 0x5b) this.#depth++
      else if ((code === 0x7d || code === 0x5d) && --this.#depth <= 0) return this.#stop(from, at, 'end')
    }
    return this.#stop(from, at, 'more')
  }

  /** Takes a piece inside a text that does not lead out of it, or a character between texts; false if there is more to it, and then nothing has been read. */
  takeInside(piece: string, markers: MarkerSet<unknown>): boolean {
    if (!this.isInString) {
      const code = piece.charCodeAt(0)
      if (piece.length > 1 || isBracket(code) || code === this.#quote.charCodeAt(0) || markers.startsWith(code)) return false
    } else if (!this.#hidesMarkers || piece.includes(this.#quote[0]!)) return false
    this.#read += piece.length
    return true
  }

  #stop(from: number, at: number, status: PythonStatus): number {
    this.#read += at - from
    this.status = status
    return at
  }
}

/** Where the text ends with the start of the mark; its length if it does not. */
function startOf(text: string, from: number, mark: string): number {
  for (let at = Math.max(from, text.length - mark.length + 1); at < text.length; at++) if (mark.startsWith(text.slice(at))) return at
  return text.length
}

function isBracket(code: number): boolean {
  return code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d
}
