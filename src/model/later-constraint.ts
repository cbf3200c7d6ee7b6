import type { Constraint } from '../constrain/index.ts'

/** A constraint that begins behind a mark, each time the reply writes it where it counts, and ends where its value ends. */
export type LaterConstraint = {
  constraint: Constraint
  mark: string
  /** What comes behind the value. */
  close?: string | undefined
  /** Whether a mark counts behind this text: in a thought, a call is only thought of. */
  counts(before: string): boolean
}

/** Finds the mark of a later constraint while a reply is written. */
export class MarkFinder {
  readonly #later: LaterConstraint
  #text = ''
  #from = 0

  constructor(later: LaterConstraint) {
    this.#later = later
  }

  /** Reads on; what stands behind a mark that is whole now, undefined where there is none. */
  push(text: string): string | undefined {
    const { mark, counts } = this.#later
    this.#text += text
    for (let at = this.#text.indexOf(mark, this.#from); at >= 0; at = this.#text.indexOf(mark, this.#from)) {
      this.#from = at + mark.length
      if (counts(this.#text.slice(0, at))) return this.#text.slice(this.#from)
    }
    this.#from = Math.max(this.#from, this.#text.length - mark.length + 1)
    return undefined
  }

  /** Reads on within the value, in which no mark counts. */
  skip(text: string): void {
    this.#text += text
    this.#from = this.#text.length
  }
}
