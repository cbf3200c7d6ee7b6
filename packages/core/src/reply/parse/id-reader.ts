import { marksOf, type ReplySyntax } from '../syntax.ts'

/** The part of a tokenizer that reading ids needs. */
export type ReplyTokens = {
  /** The id of a token by its text; undefined if the vocabulary has no such token. */
  idOf(token: string): number | undefined
  /** The text of ids, special tokens included. */
  decode(ids: readonly number[]): string
}

/**
 * Turns ids into text and marks, one id at a time. A character whose bytes are spread over several tokens is returned when it is
 * complete.
 */
export class IdReader {
  readonly #marks = new Map<number, string>()
  readonly #tokens: ReplyTokens
  /** The last ids and how much of their text has been returned: the text of a token depends on the one before it. */
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
    // U+FFFD at the end stands for an incomplete character.
    if (text.endsWith('\ufffd') && this.#ids.length < maxIdsPerCharacter + 1) return { text: '', token }
    const fresh = text.slice(this.#told)
    this.#ids = [id]
    this.#told = this.#tokens.decode(this.#ids).length
    return { text: fresh, token }
  }

  /** The rest of the text, before a mark or at the end of the reply. */
  rest(): string {
    const text = this.#ids.length === 0 ? '' : this.#tokens.decode(this.#ids).slice(this.#told)
    this.#ids = []
    this.#told = 0
    return text
  }
}

/** A character has at most four bytes; a few more, so that real U+FFFD characters do not stop the text. */
const maxIdsPerCharacter = 8
