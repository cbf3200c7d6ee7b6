export type Marker<Meaning> = { text: string; meaning: Meaning }

/** Where the next marker starts. Without `marker`, the text ends there, or with what may become a marker. */
export type MarkerMatch<Meaning> = { at: number; marker?: Marker<Meaning> }

/** Finds the next of several markers in a text that may go on. At the end of a text (`isFinal`) nothing can become a marker. */
export class MarkerSet<Meaning> {
  readonly #markers: readonly Marker<Meaning>[]
  /** By character code, whether a marker starts with it. All characters beyond ASCII share the last entry. */
  readonly #starts = new Uint8Array(129)

  constructor(markers: readonly Marker<Meaning>[]) {
    // Longest first, so that a marker does not hide a longer one that begins with it.
    this.#markers = markers.toSorted((a, b) => b.text.length - a.text.length)
    for (const { text } of markers) this.#starts[Math.min(text.charCodeAt(0), 128)] = 1
  }

  find(text: string, from: number, isFinal: boolean): MarkerMatch<Meaning> {
    for (let at = from; at < text.length; at++) {
      const marker = this.match(text, at, isFinal)
      if (marker !== undefined) return marker === 'partial' ? { at } : { at, marker }
    }
    return { at: text.length }
  }

  /** The marker that starts at `at`. */
  match(text: string, at: number, isFinal: boolean): Marker<Meaning> | 'partial' | undefined {
    if (this.#starts[Math.min(text.charCodeAt(at), 128)] === 0) return undefined
    const left = text.length - at
    for (const marker of this.#markers) {
      if (left >= marker.text.length ? text.startsWith(marker.text, at) : !isFinal && marker.text.startsWith(text.slice(at)))
        return left >= marker.text.length ? marker : 'partial'
    }
    return undefined
  }
}
