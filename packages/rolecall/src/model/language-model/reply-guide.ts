import type { Constraint, TokenMask } from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { allowedNext, type GuidedText, type Guides } from './constrained.ts'
import { type LaterConstraint, MarkFinder } from './later-constraint.ts'

/** What may come next. `isOver`: nothing; `isOpen`: the reply may not end yet; `isLast`: it must end, however short it is. */
export type Next = { mask?: TokenMask | undefined; isOver: boolean; isOpen: boolean; isLast?: boolean }

type GuideParts = { guides: Guides; tokenizer: Tokenizer; where: string; signal?: AbortSignal | undefined }

const free: Next = { isOver: false, isOpen: false }
const utf8 = new TextEncoder()

/** Keeps a reply within a constraint, or within a later one from each of its marks to the closing text. */
export class ReplyGuide {
  readonly notes: Note[] = []
  readonly #parts: GuideParts
  readonly #later: LaterConstraint | undefined
  readonly #finder: MarkFinder | undefined
  /** The constraint of the whole reply, until the first token. */
  #constraint: Constraint | undefined
  #guided: GuidedText | undefined
  /** The only token allowed: it closes the complete value. */
  #closing: number | undefined
  #isClosing = false

  constructor({ constraint, later }: { constraint?: Constraint | undefined; later?: LaterConstraint | undefined }, parts: GuideParts) {
    this.#parts = parts
    this.#constraint = constraint
    this.#later = constraint ? undefined : later
    this.#finder = this.#later && new MarkFinder(this.#later)
  }

  async next(stops: ReadonlySet<number>): Promise<Next> {
    if (this.#constraint) this.#guided = await this.#guide(this.#constraint)
    this.#constraint = undefined
    const closing = this.#closing
    if (closing !== undefined)
      return { mask: only(closing, this.#parts.tokenizer), isOver: false, isOpen: false, isLast: stops.has(closing) }
    if (!this.#guided) return free
    const state = await this.#guided.next()
    const mask = allowedNext(state, stops, this.#parts.where)
    if (mask) return { mask, isOver: false, isOpen: !state.isComplete }
    if (!this.#later) return { isOver: true, isOpen: false }
    await this.#close(this.#later)
    return this.next(stops)
  }

  /** Appends a token. `text`: the text that the token completes. */
  async push(id: number, text: string): Promise<void> {
    if (this.#closing !== undefined) this.#closing = undefined
    else if (this.#guided) await this.#guided.push(this.#parts.tokenizer.bytesOf(id))
    else {
      const rest = this.#finder?.push(text)
      if (rest !== undefined) await this.#begin(this.#later!, rest)
      return
    }
    this.#finder?.skip(text)
  }

  async #begin({ constraint, mark }: LaterConstraint, rest: string): Promise<void> {
    const begun = await this.#guide(constraint)
    if (await begun.push(utf8.encode(rest))) {
      this.#guided = begun
      this.#isClosing = false
    } else this.notes.push({ code: 'not-constrained', text: `what follows ${mark} was begun together with it, and is not constrained` })
  }

  #guide(constraint: Constraint): GuidedText | Promise<GuidedText> {
    return this.#parts.guides.begin(constraint, this.#parts.signal)
  }

  /** The value is complete: the closing text follows, and then the reply is free again. */
  async #close({ close }: LaterConstraint): Promise<void> {
    this.#guided = undefined
    if (close === undefined || this.#isClosing) return
    this.#isClosing = true
    this.#closing = this.#parts.tokenizer.idOf(close)
    if (this.#closing === undefined) this.#guided = await this.#guide({ kind: 'choice', choices: [close, `\n${close}`] })
  }
}

function only(id: number, { size = 0 }: Tokenizer): TokenMask {
  const allowed = new Uint8Array(Math.max(size, id + 1))
  allowed[id] = 1
  return { allowed, count: 1 }
}
