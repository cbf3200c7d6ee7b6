import type { Note } from '../../../base/errors/note.ts'
import type { Piece, TextPiece } from '../../../base/text/index.ts'
import type { Affix, LooseText, Tool, Turn } from '../../conversation/conversation.ts'

/** What is wanted of a conversation. */
export type Ask = {
  /**
   * `generate`: up to where the model speaks; `complete`: everything, for perplexity; `continue`: the last turn is the
   * start of the model's answer and stays open; `last-round`: only what a running chat has not been sent yet.
   */
  want: 'generate' | 'complete' | 'continue' | 'last-round'
}

/** What one role says, by its name in the format. Without `content` the dataset gives it no text. */
export type Line = Pick<
  Turn,
  'role' | 'ownLine' | 'name' | 'content' | 'reasoning' | 'calls' | 'callId' | 'message' | 'extra' | 'asParts' | 'path'
> & {
  /** What the dataset writes around the words, instead of the format's own. */
  begin?: Affix
  end?: Affix
  /** The in-context example that it belongs to; where it was joined from several, `endExample` is the last. */
  example?: number
  endExample?: number | undefined
  /** Its words are what the model is to produce. */
  answer?: true
}

/** The turn that the model is to say: whose it is, and how the dataset wants it to begin and end. */
export type NextLine = { role: string; name?: string; begin?: Affix; end?: Affix }

/**
 * A conversation as a format can take it: everything is decided, and it only has to be written. `adaptConversation` makes it.
 * A string template is all text and has no turns.
 */
export type Script = { notes: readonly Note[] } & (
  | { kind: 'text'; content: readonly TextPiece[] }
  | {
      kind: 'turns'
      /** What is said, in order; text without a role only where the format takes it. */
      lines: readonly (Line | LooseText)[]
      /** What the conversation puts into the format's slot for a system text. */
      system?: readonly Piece[]
      /** The model speaks in a separate turn, after all lines. */
      next?: NextLine
      /** The model goes on with the last line, which nothing closes. */
      isOpen?: true
      /** The conversation is a chat: messages that are passed on one by one. */
      isChat: boolean
      tools?: readonly Tool[]
      interpreter?: { path: string }
    }
)

/** A script that has turns. */
export type Turns = Script & { kind: 'turns' }

/** The words of a line, marked where they are the answer; a separator in them may have marked a part already. */
export function wordsOf({ content = [], answer }: Line): readonly Piece[] {
  if (!answer || content.some((piece) => piece.answer)) return content
  return content.map((piece) => ({ ...piece, answer: true as const }))
}

/** What a format writes around an example belongs to that example. */
export function ofExample<Written extends Piece>(pieces: readonly Written[], example: number | undefined): readonly Written[] {
  return example === undefined ? pieces : pieces.map((piece) => ({ ...piece, source: { ...piece.source, example } }))
}
