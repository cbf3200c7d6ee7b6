/**
 * Releases text only when it can no longer be part of a stop. At any chunking nothing after a stop leaks and nothing before it is lost. The
 * stop that begins first wins; on a tie the one that ends first.
 *
 * @example
 * const filter = new StopFilter(['###'])
 * filter.push('4#') // => '4'
 * filter.push('2##') // => '#2'
 * filter.push('#5') // => ''
 * filter.stoppedBy // => '###'
 */
export class StopFilter {
  /** The stop that was found; nothing is released after it. */
  stoppedBy: string | undefined
  readonly #stops: readonly string[]
  readonly #longest: number
  #held = ''

  constructor(stops: readonly string[]) {
    this.#stops = stops.includes('') ? stops.filter((stop) => stop !== '') : stops
    let longest = 0
    for (const stop of stops) longest = Math.max(longest, stop.length)
    this.#longest = longest
  }

  /** Takes more text and returns what is certain to precede any stop. */
  push(text: string): string {
    if (this.stoppedBy !== undefined) return ''
    if (this.#longest === 0) return text
    const held = this.#held + text
    const found = this.#firstStop(held)
    // A stop that may still begin before the found one would win.
    const safe = Math.min(found?.at ?? held.length, this.#firstPossible(held, found?.at ?? held.length))
    if (found && safe === found.at) {
      this.stoppedBy = found.stop
      this.#held = ''
      return held.slice(0, found.at)
    }
    this.#held = held.slice(safe)
    return held.slice(0, safe)
  }

  /** The text has ended: the text held back was not a stop. */
  end(): string {
    if (this.stoppedBy !== undefined) return ''
    const held = this.#held
    this.#held = ''
    const found = held === '' ? undefined : this.#firstStop(held)
    if (!found) return held
    this.stoppedBy = found.stop
    return held.slice(0, found.at)
  }

  #firstStop(text: string): { at: number; stop: string } | undefined {
    let first: { at: number; stop: string } | undefined
    for (const stop of this.#stops) {
      const at = text.indexOf(stop)
      if (at < 0) continue
      if (!first || at < first.at || (at === first.at && stop.length < first.stop.length)) first = { at, stop }
    }
    return first
  }

  /** Where the end of the text may be the beginning of a stop, before `limit`. */
  #firstPossible(text: string, limit: number): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < Math.min(text.length, limit); at++) {
      const rest = text.length - at
      if (this.#stops.some((stop) => stop.length > rest && text.startsWith(stop.slice(0, rest), at))) return at
    }
    return text.length
  }
}
