import type { Note } from '../base/errors/note.ts'
import { slicePieces, type TextPiece } from '../base/text/index.ts'
import type { Growth, WriteChat } from './chat-text.ts'
import type { EndOfTurn } from './end-of-turn.ts'
import { type MessageTraits, modelTurn } from './model-turns.ts'
import { unwrittenAmong } from './unwritten-message.ts'

/** The text to append after a prompt and the model's turn, so that the next prompt extends both. */
export type NextTurn =
  | {
      isAppended: true
      /** Follows the end-of-turn token. */
      pieces: readonly TextPiece[]
      /** The end-of-turn token; a truncated reply gets it first. */
      stop?: string
      /** The model's turn as the format writes it, with its end; undefined if the prompt in front of it is written differently now. */
      written?: string
      /** The message, counted from the reply, that the format does not write behind it. */
      unwritten?: number | undefined
      /** Of the render of the whole chat. */
      notes?: readonly Note[] | undefined
    }
  /** The format rewrites the prompt or the reply as the chat continues. */
  | (Growth & { isAppended: false; stage: 'prompt' | 'history' | 'error' })

/** The chat so far, the model's reply, and the messages after it. */
export type NextChat<Message> = { earlier: readonly Message[]; reply: Message; next: readonly Message[] }

/** The text of the next prompt after the model's turn, or why it cannot be appended. */
export function nextTurn<Message>(
  { earlier, reply, next }: NextChat<Message>,
  traits: MessageTraits,
  write: WriteChat<Message>,
  end: EndOfTurn,
  /** Like `write`, with origins computed immediately. */
  writeInFull = write,
): NextTurn {
  const given = [...earlier, reply, ...next]
  const whole = writeInFull(given, true)
  const turn = modelTurn({ given, message: earlier.length, hasCalls: traits.hasCalls, write, whole, end })
  if (!turn.isKnown) return { isAppended: false, stage: turn.stage, at: turn.at, shorter: turn.expected, longer: turn.found }
  const [start, stopAt] = turn.span
  return {
    isAppended: true,
    pieces: slicePieces(whole.pieces, stopAt, whole.text.length),
    stop: turn.stop,
    written: whole.text.slice(start, stopAt),
    unwritten: unwrittenAmong(whole, next, earlier.length + 1, stopAt),
    notes: whole.notes,
  }
}
