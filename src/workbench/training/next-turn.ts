import { slicePieces, type TextPiece } from '../../base/text/index.ts'
import type { Growth } from './append-only.ts'
import type { EndOfTurn } from './end-of-turn.ts'
import { type MessageTraits, modelTurn } from './model-turns.ts'
import type { WriteChat } from './written.ts'

/** What is appended to a prompt and the model's own turn, so that the next prompt begins with both as they are. */
export type NextTurn =
  | {
      isAppended: true
      /** Behind the token that ends the model's turn. */
      pieces: readonly TextPiece[]
      /** The token that ends the turn: a reply that was cut gets it first. */
      stop?: string
    }
  /** The format writes what was sent, or what the model wrote, in another way once the chat goes on. */
  | (Growth & { isAppended: false; stage: 'prompt' | 'history' | 'error' })

/** The chat so far, what the model said as a message, and the messages that follow it. */
export type NextChat<Message> = { earlier: readonly Message[]; reply: Message; next: readonly Message[] }

/** What the next prompt has behind the model's turn, or why it cannot be appended. */
export function nextTurn<Message>(
  { earlier, reply, next }: NextChat<Message>,
  traits: MessageTraits,
  write: WriteChat<Message>,
  end: EndOfTurn,
  /** As `write`, where it is quicker to say at once who wrote what. */
  writeInFull = write,
): NextTurn {
  const given = [...earlier, reply, ...next]
  const whole = writeInFull(given, true)
  const turn = modelTurn({ given, message: earlier.length, hasCalls: traits.hasCalls, write, whole, end })
  if (!turn.isKnown) return { isAppended: false, stage: turn.stage, at: turn.at, shorter: turn.expected, longer: turn.found }
  return { isAppended: true, pieces: slicePieces(whole.pieces, turn.span[1], whole.text.length), stop: turn.stop }
}
