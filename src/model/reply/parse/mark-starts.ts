/** The start of one or several marks, and what each next character makes of it. */
type Start = { text: string; next: Map<number, Start> }

/**
 * Follows marks that come character by character. What has come so far is one of a few texts that are made once: a mark of twelve
 * characters would otherwise be twelve new strings each time it is written.
 */
export class MarkStarts {
  readonly #root: Start = { text: '', next: new Map() }
  /** Where the last question led: the next one mostly goes on from there. */
  #last = this.#root

  constructor(marks: readonly string[]) {
    for (const mark of marks) {
      let start = this.#root
      for (let at = 0; at < mark.length; at++) {
        const code = mark.charCodeAt(at)
        let next = start.next.get(code)
        if (next === undefined) {
          next = { text: mark.slice(0, at + 1), next: new Map() }
          start.next.set(code, next)
        }
        start = next
      }
    }
  }

  /** A mark's start with the piece behind it, if that is the start of a longer mark still. */
  longer(start: string, piece: string): string | undefined {
    const from = this.#last.text === start ? this.#last : follow(this.#root, start)
    const found = from && follow(from, piece)
    if (found === undefined || found.next.size === 0) return undefined
    this.#last = found
    return found.text
  }
}

function follow(from: Start, text: string): Start | undefined {
  let start: Start | undefined = from
  for (let at = 0; at < text.length && start !== undefined; at++) start = start.next.get(text.charCodeAt(at))
  return start
}
