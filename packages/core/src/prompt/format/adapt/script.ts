import type { Note } from '../../../base/errors/note.ts'
import type { PyValue } from '../../../base/python/index.ts'
import type { Piece, TextPiece } from '../../../base/text/index.ts'
import type { Affix, LooseText, Tool, Turn } from '../../conversation/conversation.ts'

/** Which part of a conversation to render. */
export type Ask = {
  /**
   * `generate`: up to where the model speaks; `complete`: everything, for perplexity; `continue`: the last turn is the start of the model's
   * answer and stays open; `last-round`: only the part that a running chat has not been sent yet.
   */
  want: 'generate' | 'complete' | 'continue' | 'last-round'
  /** The reader takes only text: with `roles`, media become a placeholder. */
  media?: 'placeholder'
  /** Variables of the template for this request, over those of the model's settings. */
  variables?: Readonly<Record<string, PyValue>> | undefined
  /** The time that a template is shown; by default that of the format's options, else the time of the render. */
  clock?: Date | undefined
}

/** The text of one role, by its name in the format. Without `content` the dataset gives it no text. */
export type Line = Pick<
  Turn,
  'role' | 'ownLine' | 'name' | 'content' | 'reasoning' | 'calls' | 'callId' | 'message' | 'extra' | 'parts' | 'path'
> & {
  /** The dataset's text around it, instead of the format's. */
  begin?: Affix
  end?: Affix
  /** Its in-context example; if it was joined from several, `endExample` is the last. */
  example?: number
  endExample?: number | undefined
  /** Its text is what the model must produce. */
  answer?: true
}

/** The turn that the model must generate: its role, and the dataset's text before and after it. */
export type NextLine = { role: string; name?: string; begin?: Affix; end?: Affix }

/**
 * A conversation adapted to a format: everything is decided, and it only has to be written. `adaptConversation` creates it. A string
 * template is all text and has no turns.
 */
export type Script = { notes: readonly Note[] } & (
  | { kind: 'text'; content: readonly TextPiece[] }
  | {
      kind: 'turns'
      /** The lines in order; text without a role only if the format accepts it. */
      lines: readonly (Line | LooseText)[]
      /** The conversation's text for the format's system slot. */
      system?: readonly Piece[]
      /** The model speaks in a separate turn, after all lines. */
      next?: NextLine
      /** The model continues the last line, which stays open. */
      isOpen?: true
      /** The conversation is a chat: messages that are passed on one by one. */
      isChat: boolean
      tools?: readonly Tool[]
      interpreter?: { path: string }
    }
)

/** A script that has turns. */
export type Turns = Script & { kind: 'turns' }

/** The text of a line, marked if it is the answer; a separator may have marked a part already. */
export function wordsOf({ content = [], answer }: Line): readonly Piece[] {
  if (!answer || content.some((piece) => piece.answer)) return content
  return content.map((piece) => ({ ...piece, answer: true as const }))
}

/** The format's text around an example belongs to that example. */
export function ofExample<Written extends Piece>(pieces: readonly Written[], example: number | undefined): readonly Written[] {
  return example === undefined ? pieces : pieces.map((piece) => ({ ...piece, source: { ...piece.source, example } }))
}
