import { marksOf, type ReplySyntax } from '../syntax.ts'

/** What is needed of a tokenizer to read a reply given as ids. */
export type ReplyTokens = {
  /** The id of a token by its text; undefined where the vocabulary has no such token. */
  idOf(token: string): number | undefined
  /** The text of ids, special tokens included. */
  decode(ids: readonly number[]): string
}

/**
 * Turns ids into text and marks, one id at a time. Characters whose bytes lie in several tokens come out when they are
 * complete.
 */
export class IdReader {
  readonly #marks = new Map<number, string>()
  readonly #tokens: ReplyTokens
  /** The last ids and how much of their text has been handed out: what a token says depends on the one before it. */
  #ids: number[] = []
  #told = 0

  constructor(syntax: ReplySyntax, tokens: ReplyTokens) {
    this.#tokens = tokens
    for (const mark of marksOf(syntax)) {
      const id = tokens.idOf(mark)
      if (id !== undefined) this.#marks.set(id, mark)
    }
  }

  read(id: number): { text: string; token: string | undefined } {
    const token = this.#marks.get(id)
    if (token !== undefined) return { text: this.rest(), token }
    this.#ids.push(id)
    const text = this.#tokens.decode(this.#ids)
    // U+FFFD at the end: the bytes of a character that is not complete yet.
    if (text.endsWith('\ufffd') && this.#ids.length < maxIdsPerCharacter + 1) return { text: '', token }
    const fresh = text.slice(this.#told)
    this.#ids = [id]
    this.#told = this.#tokens.decode(this.#ids).length
    return { text: fresh, token }
  }

  /** What is left where text ends: before a mark, or at the end of the reply. */
  rest(): string {
    const text = this.#ids.length === 0 ? '' : this.#tokens.decode(this.#ids).slice(this.#told)
    this.#ids = []
    this.#told = 0
    return text
  }
}

/** A character has at most four bytes; a few more, so that real U+FFFD characters do not stop the text. */
const maxIdsPerCharacter = 8
