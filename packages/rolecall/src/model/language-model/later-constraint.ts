import type { Constraint } from '@rolecall/core/internal/constrain'

/** A constraint that starts after a mark, each time the reply contains the mark where it counts, and ends with its value. */
export type LaterConstraint = {
  constraint: Constraint
  mark: string
  /** The text after the value. */
  close?: string | undefined
  /** Whether a mark counts after this text: inside reasoning, a call is not made. */
  counts(before: string): boolean
}

/** Finds the mark of a later constraint in a streamed reply, without scanning text twice. */
export class MarkFinder {
  readonly #later: LaterConstraint
  #written: string[] = []
  /** The end of the text, in which a mark may begin. */
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

  /** Continues inside the value, where no mark counts. */
  skip(text: string): void {
    this.#written.push(text)
    this.#end = ''
  }
}
