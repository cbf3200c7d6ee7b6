import { type LinearMatch, LinearPattern } from './linear-pattern.ts'

/**
 * A RegExp that matches in linear time, for code that takes a RegExp: `match`, `matchAll`, `replace` and `split` of strings use its `exec`.
 * Patterns that LinearPattern does not support throw.
 */
export class LinearRegExp extends RegExp {
  readonly #pattern: LinearPattern

  constructor(source: RegExp | string, flags = source instanceof RegExp ? source.flags : '') {
    super(source, flags)
    this.#pattern = new LinearPattern(this.source, flags.replace(/[dgy]/g, ''))
  }

  override exec(text: string): RegExpExecArray | null {
    const isMoving = this.global || this.sticky
    const from = isMoving ? this.lastIndex : 0
    const found = from > text.length ? undefined : this.#pattern.exec(text, from)
    const isFound = found !== undefined && (!this.sticky || found.index === from)
    if (isMoving) this.lastIndex = isFound ? found.end : 0
    return isFound ? this.#arrayOf(found, text) : null
  }

  #arrayOf({ index, end, groups }: LinearMatch, text: string): RegExpExecArray {
    const named = [...this.#pattern.names].map(([name, number]) => [name, groups[number - 1]])
    const found: [string, ...string[]] = [text.slice(index, end)]
    // A group that did not match is undefined, which TypeScript's own type leaves out.
    for (const [place, group] of groups.entries()) found[place + 1] = group as string
    return Object.assign(found, { index, input: text, groups: named.length === 0 ? undefined : Object.fromEntries(named) })
  }
}
