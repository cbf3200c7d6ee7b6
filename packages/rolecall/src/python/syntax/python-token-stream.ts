import type { EntryComments, PythonToken, TokenKind, Tokens } from '@rolecall/core/internal/python'
import { ImportLimitError, type SourceLocation, syntaxError } from '@rolecall/core/internal/python'

/** Brackets, blocks and operators inside one another; Python's own parser stops at about the same depth. */
const maxNesting = 100

/** Operators, attributes and calls in one chain. */
export const maxChain = 500

/** The tokens of a file, read from left to right. */
export class PythonTokenStream {
  readonly file: string
  readonly slips: { at: SourceLocation; text: string }[] = []
  /** Whether the value of a dict's entry is being read: there, a string on a new line before a colon is the next key. */
  inEntry = false
  #tokens: readonly PythonToken[]
  #comments: Tokens['comments']
  #at = 0
  #depth: number
  #yields = false

  constructor({ file, tokens, comments }: Tokens, depth = 0) {
    this.file = file
    this.#tokens = tokens
    this.#comments = comments
    this.#depth = depth
  }

  get current(): PythonToken {
    return this.#tokens[this.#at]!
  }

  get previous(): PythonToken {
    return this.#tokens[Math.max(0, this.#at - 1)]!
  }

  get depth(): number {
    return this.#depth
  }

  peek(ahead = 1): PythonToken {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!
  }

  next(): PythonToken {
    const token = this.current
    if (this.#at < this.#tokens.length - 1) this.#at++
    return token
  }

  /** Whether the current token is this operator or keyword. */
  is(text: string): boolean {
    const { kind, text: found } = this.current
    return found === text && (kind === 'operator' || kind === 'name')
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false
    this.next()
    return true
  }

  expect(text: string, problem: string, fix = `write "${text}"`): PythonToken {
    if (!this.is(text)) throw this.error(`${problem}, found ${this.shown()}`, fix)
    return this.next()
  }

  expectName(what: string): string {
    if (this.current.kind !== 'name') throw this.error(`expected ${what}, found ${this.shown()}`, 'write a name')
    return this.next().text
  }

  place({ line, column }: PythonToken = this.current): SourceLocation {
    return { file: this.file, line, column }
  }

  /** The current token in a user's words. */
  shown(): string {
    const { kind, text } = this.current
    if (kind === 'end') return 'the end of the file'
    if (kind === 'newline') return 'the end of the line'
    if (kind === 'indent') return 'an indented line'
    if (kind === 'dedent') return 'the end of the indented lines'
    return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
  }

  error(problem: string, fix: string) {
    return syntaxError(this.place(), problem, fix)
  }

  /** Skips a statement that could not be parsed: its line and the indented lines that belong to it. */
  skipStatement(depth: number): void {
    this.#depth = depth
    this.inEntry = false
    const kind = (): TokenKind => this.current.kind
    while (kind() !== 'newline' && kind() !== 'end') this.next()
    this.next()
    for (let open = 0; (kind() === 'indent' || open > 0) && kind() !== 'end'; this.next()) {
      if (kind() === 'indent') open++
      else if (kind() === 'dedent') open--
    }
  }

  slip(text: string): void {
    this.slips.push({ at: this.place(), text })
  }

  /** Reads something that may contain itself. */
  nested<Result>(read: () => Result): Result {
    if (++this.#depth > maxNesting) throw new ImportLimitError(this.place(), `it is nested more than ${maxNesting} levels deep`)
    const result = read()
    this.#depth--
    return result
  }

  /** Reads the body of a function, and whether it has a `yield` of its own. */
  inFunction<Result>(read: () => Result): { body: Result; yields: boolean } {
    const outer = this.#yields
    this.#yields = false
    const body = read()
    const yields = this.#yields
    this.#yields = outer
    return { body, yields }
  }

  markYield(): void {
    this.#yields = true
  }

  checkChain(length: number): void {
    if (length > maxChain) throw new ImportLimitError(this.place(), `there are more than ${maxChain} operators in a row`)
  }

  /** The comments of the node that began at a token and has just been parsed: on the lines before it, and after it on its last line. */
  remark(start: PythonToken, notBefore: number): EntryComments | undefined {
    if (this.#comments.size === 0) return undefined
    const before: string[] = []
    for (let line = start.line - 1; line > notBefore; line--) {
      const comment = this.#comments.get(line)
      if (!comment?.alone) break
      before.unshift(comment.text)
    }
    // Only a comma may separate an entry from its comment.
    const after = this.is(',') ? this.peek() : this.current
    const { endLine } = this.previous
    const comment = after.line > endLine || after.kind === 'newline' ? this.#comments.get(endLine) : undefined
    const behind = comment !== undefined && !comment.alone ? comment.text : undefined
    if (before.length === 0 && behind === undefined) return undefined
    return behind === undefined ? { before } : { before, behind }
  }
}
