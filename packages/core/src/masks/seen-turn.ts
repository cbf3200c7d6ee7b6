import type { Note } from '../base/errors/note.ts'
import { slicePieces, type TextPiece } from '../base/text/index.ts'
import { beginsWith, type ChatText, commonLength, ownText, type WriteChat } from './chat-text.ts'
import { type Departure, departuresOf } from './departures.ts'
import { attempt, type EndOfTurn } from './end-of-turn.ts'
import type { MessageTraits } from './model-turns.ts'
import type { NextChat } from './next-turn.ts'
import { hasText, unwrittenAmong } from './unwritten-message.ts'

/** The text to append after what was sent and sampled, although the format writes the earlier turns differently now. */
export type SeenTurn =
  | {
      isAppended: true
      /** Follows the end-of-turn token. */
      pieces: readonly TextPiece[]
      /** The end-of-turn token; a truncated reply gets it first. */
      stop?: string | undefined
      /** The model's turn as the format writes it, with its end; undefined if the prompt in front of it is written differently now. */
      written?: string | undefined
      /** What the format writes of the reply's own text, with the end of its turn. */
      own: string
      /** Where the format would write the past differently from what the model has seen. */
      departures: readonly Departure[]
      /** Of the render of the whole chat. */
      notes?: readonly Note[] | undefined
    }
  | {
      isAppended: false
      /** `error`: the chat cannot be rendered; `reply`: the format does not write the reply; `next`: it does not write `message`, or before the reply. */
      stage: 'error' | 'reply' | 'next'
      message?: number
    }

/**
 * Finds the reply in the render of the whole chat by the origin of its text, not by comparing prompts: what the format writes behind it is
 * appended to the ids that were sent and sampled, whatever the format now writes in front of it.
 */
export function seenTurn<Message>(
  { earlier, reply, next }: NextChat<Message>,
  traits: MessageTraits,
  write: WriteChat<Message>,
  end: EndOfTurn,
  /** Like `write`, with origins computed immediately. */
  writeInFull = write,
): SeenTurn {
  const messages = [...earlier, reply, ...next]
  const whole = attempt(() => writeInFull(messages, true))
  if (whole === undefined) return { isAppended: false, stage: 'error' }
  const place = earlier.length
  const own = ownText(whole, place)
  const isUnwritten = own === undefined || (traits.hasCalls && ownText(whole, place, '.tool_calls') === undefined)
  const turn =
    isUnwritten && (traits.hasCalls || hasText(reply)) ? undefined : endOfReply(whole, place, own, { traits, write, end, messages })
  if (turn === undefined) return { isAppended: false, stage: 'reply', message: place }
  const unwritten = unwrittenAmong(whole, next, place + 1, turn.at)
  if (unwritten !== undefined) return { isAppended: false, stage: 'next', message: place + 1 + unwritten }
  const seen = attempt(() => writeInFull(earlier, true))
  return {
    isAppended: true,
    pieces: slicePieces(whole.pieces, turn.at, whole.text.length),
    stop: turn.stop,
    written: seen !== undefined && beginsWith(whole.text, seen.text) ? whole.text.slice(seen.text.length, turn.at) : undefined,
    departures: seen === undefined ? [] : departuresOf(seen, whole, earlier.length, turn.at),
    own: whole.text.slice(own?.start ?? turn.at - (turn.stop?.length ?? 0), turn.at),
    notes: whole.notes,
  }
}

type Render<Message> = { traits: MessageTraits; write: WriteChat<Message>; end: EndOfTurn; messages: readonly Message[] }

/** Where the model's turn ends in the whole text, and the token that ends it. */
function endOfReply<Message>(
  whole: ChatText,
  place: number,
  own: { start: number; end: number } | undefined,
  { traits: { hasCalls }, write, end, messages }: Render<Message>,
): { at: number; stop?: string } | undefined {
  const finished = attempt(() => write(messages.slice(0, place + 1), false))
  const ownFinished = finished && ownText(finished, place)
  // An empty answer has no text of its own: it ends where the chat that ends with it does, if the rest begins like it.
  const from = own?.end ?? (finished && whole.text.startsWith(finished.text.trimEnd()) ? finished.text.trimEnd().length : undefined)
  if (from === undefined) return undefined
  const closing = own && finished && ownFinished ? finished.text.slice(ownFinished.end) : ''
  const closed = from + commonLength(closing, whole.text.slice(from))
  const limit = nextOwnStart(whole, place + 1, messages.length, from)
  const backed = own === undefined ? markerBefore(whole.text, from, end) : undefined
  const found = backed ?? end.find(whole.text, from, closed, hasCalls) ?? end.find(whole.text, from, limit, false)
  if (found) return { at: found.end, stop: whole.text.slice(found.start, found.end) }
  return { at: hasCalls ? from + whole.text.slice(from, closed).trimEnd().length : from }
}

/** The end marker of an empty answer, which stands before the end of the finished chat. */
function markerBefore(text: string, to: number, { marker }: EndOfTurn): { start: number; end: number } | undefined {
  return marker !== undefined && text.slice(0, to).endsWith(marker) ? { start: to - marker.length, end: to } : undefined
}

/** Where the first of the messages after the reply begins. */
function nextOwnStart(whole: ChatText, first: number, count: number, from: number): number {
  for (let index = first; index < count; index++) {
    const start = ownText(whole, index)?.start
    if (start !== undefined && start >= from) return start
  }
  return whole.text.length
}
