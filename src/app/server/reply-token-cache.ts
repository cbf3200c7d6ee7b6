import { isText, type Piece, slicePieces, textOf } from '../../base/text/index.ts'
import type { Prompt } from '../../prompt/format/format.ts'
import { protectionOf } from '../../prompt/tokenizer/protected-tokens.ts'
import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'

/** A reply that was written here: the text of its prompt and of itself, where the reply begins in it, and its ids. */
type OwnReply = { text: string; start: number; ids: readonly number[] }

/** How much is remembered of one model: the latest replies, and their prompts. */
export type OwnRepliesLimits = { replies: number; characters: number }

const defaultLimits: OwnRepliesLimits = { replies: 64, characters: 4_000_000 }

/**
 * The replies of a model, for the chats that go on with them. Clients send a chat again with every turn, as text, and the ids that the
 * model sampled need not be those of its text: encoded anew they would be another trajectory, of which less is known from before. Where
 * a prompt begins with one that was sent, to the letter, and the reply stands behind it, the reply's own ids take its place. What ends a
 * turn is written by the format, so that a reply that was cut gets it, too.
 */
export class OwnReplies {
  readonly #tokenizer: Tokenizer | undefined
  readonly #isProtected: (id: number) => boolean
  readonly #limits: OwnRepliesLimits
  #kept: OwnReply[] = []

  constructor(tokenizer: Tokenizer | undefined, markers: readonly string[], limits = defaultLimits) {
    this.#tokenizer = tokenizer
    this.#isProtected = tokenizer ? protectionOf(tokenizer, markers).isProtected : () => true
    this.#limits = limits
  }

  /** Keeps a reply. One with control tokens in it is none: as text, which anybody may send, they stay text. */
  remember(prompt: Prompt, reply: { ids: readonly number[]; text: string }): void {
    if (this.#tokenizer === undefined || !isPlain(prompt) || reply.text === '' || reply.ids.some(this.#isProtected)) return
    const before = textOf(prompt.pieces)
    const text = before + reply.text
    let left = this.#limits.characters
    this.#kept = [{ text, start: before.length, ids: reply.ids }, ...this.#kept.filter((kept) => kept.text !== text)]
      .slice(0, this.#limits.replies)
      .filter((kept) => {
        left -= kept.text.length
        return left >= 0
      })
  }

  /** The prompt with the ids of the replies in it that were written here. */
  recall(prompt: Prompt): Prompt {
    if (this.#kept.length === 0 || !isPlain(prompt)) return prompt
    const texts = prompt.pieces.filter(isText)
    const text = textOf(texts)
    const borders = bordersOf(texts)
    // Where the client wrote something behind the reply, it is another text.
    const found = this.#kept.filter((kept) => borders.has(kept.text.length) && text.slice(0, kept.text.length) === kept.text)
    if (found.length === 0) return prompt
    const pieces: Piece[] = []
    let at = 0
    for (const { start, text: upTo, ids } of found.sort((a, b) => a.start - b.start)) {
      pieces.push(...slicePieces(texts, at, start), { ids, source: { by: 'model', path: 'reply' } })
      at = upTo.length
    }
    pieces.push(...slicePieces(texts, at, text.length))
    return { ...prompt, pieces, ...(prompt.answer && { answer: { start: pieces.length, end: pieces.length } }) }
  }
}

/** Where pieces end. */
function bordersOf(pieces: readonly { text: string }[]): Set<number> {
  let at = 0
  return new Set(pieces.map(({ text }) => (at += text.length)))
}

/** A prompt of text alone, at the end of which the model speaks. */
function isPlain(prompt: Prompt): prompt is Prompt & { kind: 'completion' } {
  if (prompt.kind !== 'completion' || !prompt.pieces.every((piece) => 'text' in piece)) return false
  return prompt.answer === undefined || prompt.answer.start === prompt.pieces.length
}
