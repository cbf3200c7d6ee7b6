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

/** Finds the mark of a later constraint while a reply is written: what was looked at is not looked at again. */
export class MarkFinder {
  readonly #later: LaterConstraint
  #written: string[] = []
  /** The end of what was written, in which a mark may begin. */
  #end = ''

  constructor(later: LaterConstraint) {
    this.#later = later
  }

  /** Reads more text; returns what follows a mark that is now complete, undefined if there is none. */
  push(text: string): string | undefined {
    const { mark, counts } = this.#later
    const searched = this.#end + text
    this.#written.push(text)
    let from = 0
    for (let at = searched.indexOf(mark); at >= 0; at = searched.indexOf(mark, from)) {
      from = at + mark.length
      const whole = this.#written.join('')
      this.#written = [whole]
      if (counts(whole.slice(0, whole.length - searched.length + at))) {
        this.#end = searched.slice(from)
        return this.#end
      }
    }
    this.#end = searched.slice(Math.max(from, searched.length - mark.length + 1))
    return undefined
  }

  /** Reads on within the value, in which no mark counts. */
  skip(text: string): void {
    this.#written.push(text)
    this.#end = ''
  }
}
