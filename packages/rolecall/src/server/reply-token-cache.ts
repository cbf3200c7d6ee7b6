import type { Prompt } from '@rolecall/core/internal/format'
import { isText, type Piece, slicePieces, textOf } from '@rolecall/core/internal/text'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { protectionOf } from '@rolecall/core/internal/tokenizer'

/** A generated reply: the text of prompt and reply, the offset of the reply in it, and the reply's token ids. */
type CachedReply = { text: string; start: number; ids: readonly number[] }

/** Size of the cache of one model; prompts count as characters. */
export type ReplyTokenCacheLimits = { replies: number; characters: number }

const defaultLimits: ReplyTokenCacheLimits = { replies: 64, characters: 4_000_000 }

/**
 * Keeps the sampled token ids of recent replies. Clients resend a chat as text with every turn, and encoding a reply's text may give other
 * ids than those sampled: a different trajectory, and a shorter match in the KV cache. If a prompt starts with an earlier prompt and its
 * reply, the reply is replaced by its sampled ids. The format writes the end of the turn, so truncated replies get one as well.
 */
export class ReplyTokenCache {
  readonly #tokenizer: Tokenizer | undefined
  readonly #isProtected: (id: number) => boolean
  readonly #limits: ReplyTokenCacheLimits
  #replies: CachedReply[] = []

  constructor(tokenizer: Tokenizer | undefined, markers: readonly string[], limits = defaultLimits) {
    this.#tokenizer = tokenizer
    this.#isProtected = tokenizer ? protectionOf(tokenizer, markers).isProtected : () => true
    this.#limits = limits
  }

  /** Adds a reply, unless it contains control tokens: in a text that any client may send, they stay text. */
  remember(prompt: Prompt, reply: { ids: readonly number[]; text: string }): void {
    if (this.#tokenizer === undefined || !isTextOnly(prompt) || reply.text === '' || reply.ids.some(this.#isProtected)) return
    const before = textOf(prompt.pieces)
    const text = before + reply.text
    let left = this.#limits.characters
    this.#replies = [{ text, start: before.length, ids: reply.ids }, ...this.#replies.filter((kept) => kept.text !== text)]
      .slice(0, this.#limits.replies)
      .filter((kept) => {
        left -= kept.text.length
        return left >= 0
      })
  }

  /** Replaces the cached replies in a prompt by their ids. */
  recall(prompt: Prompt): Prompt {
    if (this.#replies.length === 0 || !isTextOnly(prompt)) return prompt
    const texts = prompt.pieces.filter(isText)
    const text = textOf(texts)
    const ends = pieceEnds(texts)
    // A reply must end where a piece ends: otherwise the client has changed its text.
    const found = this.#replies.filter((kept) => ends.has(kept.text.length) && text.slice(0, kept.text.length) === kept.text)
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

/** Offsets at which pieces end. */
function pieceEnds(pieces: readonly { text: string }[]): Set<number> {
  let at = 0
  return new Set(pieces.map(({ text }) => (at += text.length)))
}

/** A prompt of text only, with the reply at its end. */
function isTextOnly(prompt: Prompt): prompt is Prompt & { kind: 'completion' } {
  if (prompt.kind !== 'completion' || !prompt.pieces.every((piece) => 'text' in piece)) return false
  return prompt.answer === undefined || prompt.answer.start === prompt.pieces.length
}
