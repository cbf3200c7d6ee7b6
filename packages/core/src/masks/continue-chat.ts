import { type ChecksOf, checkOptionsOf, isObject, isString } from '../base/errors/check-options.ts'
import type { Note } from '../base/errors/note.ts'
import { localReach } from '../base/jinja/index.ts'
import type { TextPiece } from '../base/text/index.ts'
import { isPlainMessage } from '../prompt/compile/plain-message.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import type { Format } from '../prompt/format/format.ts'
import { decodeTokens } from '../prompt/tokenizer/token-decoder.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import { appendedIds, withSampledOpener } from './appended-ids.ts'
import type { WriteChat } from './chat-text.ts'
import { type Departure, endDeparture, replyDeparture } from './departures.ts'
import { endOfFormat, formatWriter, type RenderAsk, writeInFull } from './format-writer.ts'
import { type NextChat, type NextTurn, nextTurn } from './next-turn.ts'
import { type SeenTurn, seenTurn } from './seen-turn.ts'
import { type TrainingChat, traitsOf } from './training-text.ts'

/** A chat whose sent and sampled ids are kept. */
export type RunningChat = TrainingChat &
  RenderAsk & {
    /** The prompt sent for these messages. */
    promptIds: readonly number[]
    /** The sampled reply, truncated or complete, regardless of how its text would be encoded again. */
    replyIds: readonly number[]
  }

/** How a chat is continued. */
export type ContinueOptions = {
  format: Format
  tokenizer: Tokenizer
  /**
   * What happens if the format rewrites earlier turns as the chat continues (drops reasoning, moves tools): the chat is not continued
   * (`refuse`, the default), or the model goes on with what it has seen (`as-seen`), and `departures` says what the format would change.
   */
  rewrites?: 'refuse' | 'as-seen'
}

const continueChecks = { format: isObject, tokenizer: isObject, rewrites: isString } satisfies ChecksOf<ContinueOptions>

/** What to send for the next turn: only the new ids, or why the whole prompt must be sent again. */
export type ContinuedChat =
  | {
      isAppended: true
      /** Follows the prompt and the reply. */
      appended: readonly number[]
      /** The next prompt: prompt, reply and appended ids. */
      ids: readonly number[]
      /** The appended text with its origins; a truncated reply gets its end first. */
      pieces: readonly TextPiece[]
      /** Of `as-seen`: where the format would now write the past differently from what the model has seen. */
      departures?: readonly Departure[]
      /** Of `as-seen`: what was changed, left out or guessed in the messages behind the reply, and in the format's own text. */
      notes?: readonly Note[]
    }
  | { isAppended: false; why: string; at?: number; shorter?: string; longer?: string }

type Chat = NextChat<ChatMessage>

/**
 * The next prompt of a chat as the previous ids plus appended ones: nothing sent or sampled is encoded again. Verified by rendering the
 * whole chat or, if the template renders messages independently, its start and end. If the format rewrites earlier turns (drops
 * reasoning, moves tools), the chat is not continued, and the position is reported; or it is, as the model has seen it.
 */
export function continueChat(
  { messages, tools, promptIds, replyIds, ...ask }: RunningChat,
  reply: ChatMessage,
  next: readonly ChatMessage[],
  options: ContinueOptions,
): ContinuedChat {
  checkOptionsOf(options, continueChecks, 'continueChat › options')
  const { format, tokenizer, rewrites = 'refuse' } = options
  const write = formatWriter(format, tools, ask) as WriteChat<ChatMessage>
  const whole = (chat: readonly ChatMessage[]) => writeInFull(format, { messages: chat, tools }, 'generate', ask)
  const end = endOfFormat(format)
  const after = (earlier: readonly ChatMessage[]): NextTurn => nextTurn({ earlier, reply, next }, traitsOf(reply), write, end, whole)
  const ends = withoutMiddle(format, messages)
  const short = after(ends)
  // Rewrites are reported for the whole chat.
  const turn = short.isAppended || ends === messages ? short : after(messages)
  const unwritten = (message: number): ContinuedChat => ({ isAppended: false, why: `${refusals.next} messages[${message}]` })
  // The messages that were rendered: those of a long chat are fewer.
  const written = turn === short ? ends.length : messages.length
  const continued = (turn: Continued): ContinuedChat => {
    const encoded = appendedIds(turn, replyIds, tokenizer, { markers: format.markers, tokens: format.tokens })
    const opener = end.opener === undefined ? undefined : tokenizer.idOf(end.opener)
    const appended = rewrites === 'refuse' ? encoded : withSampledOpener(encoded, turn, replyIds, opener)
    if (appended === undefined) return { isAppended: false, why: refusals.opener }
    return {
      isAppended: true,
      appended,
      // Lazy: concatenating takes time in a long chat.
      get ids() {
        return promptIds.concat(replyIds, appended)
      },
      pieces: turn.pieces,
      departures: turn.departures,
      ...(rewrites === 'refuse' ? {} : { notes: notesBehind(turn.notes, messages.length, written) }),
    }
  }
  const sampled = () => sampledText(replyIds, tokenizer, end.marker)
  const told = { reply, place: messages.length, opener: end.opener }
  if (turn.isAppended && rewrites === 'as-seen' && turn.unwritten !== undefined) return unwritten(messages.length + 1 + turn.unwritten)
  if (turn.isAppended) return continued(rewrites === 'refuse' ? turn : withReply(turn, [], sampled(), told))
  if (rewrites === 'refuse') {
    const { stage, at, shorter, longer } = turn
    return stage === 'error' ? { isAppended: false, why: refusals.error } : { isAppended: false, why: refusals[stage], at, shorter, longer }
  }
  const seen = seenOrRaw({ earlier: messages, reply, next }, sampled(), (chat) => seenTurn(chat, traitsOf(chat.reply), write, end, whole))
  if (seen.isAppended) return continued(withReply(seen, seen.departures, sampled(), told))
  return seen.stage === 'next' ? unwritten(seen.message ?? messages.length + 1) : { isAppended: false, why: refusals[seen.stage] }
}

type Continued = (NextTurn | SeenTurn) & { isAppended: true; departures?: readonly Departure[] }

function withReply(
  turn: Continued,
  departures: readonly Departure[],
  { text, end }: SampledText,
  { reply, place, opener }: { reply: ChatMessage; place: number; opener: string | undefined },
): Continued {
  const { written, stop } = turn
  const path = `messages[${place}]`
  const begins = turn.pieces[0]?.text.startsWith(end)
  // Where nothing ends a turn, generation stops on the token that opens the next one.
  const isOpener = stop === undefined && (begins || end === opener)
  const own = written ?? ('own' in turn ? turn.own : '')
  const ofEnd = isOpener ? [] : endDeparture({ text, end }, { written: own, stop }, { reply, path })
  const whole = ofEnd.length > 0 || isOpener || end === stop ? text : `${text}${end}`
  const ofReply = written === undefined ? [] : replyDeparture(whole, written, { reply, path })
  return { ...turn, departures: [...departures, ...ofReply, ...ofEnd] }
}

/** The notes that earlier prompts did not have, with the places of the whole chat; `written` of its messages in front of the reply were rendered. */
function notesBehind(notes: readonly Note[] = [], count: number, written: number): readonly Note[] {
  return notes.flatMap((note): Note[] => {
    const [place, index] = /^messages\[(\d+)\]/.exec(note.where ?? '') ?? []
    if (place === undefined) return [note]
    const behind = Number(index) - written
    return behind <= 0 ? [] : [{ ...note, where: `messages[${count + behind}]${note.where?.slice(place.length) ?? ''}` }]
  })
}

/** Some templates write results but no calls: the model itself wrote its calls as text, so they are shown as text. */
function seenOrRaw(chat: Chat, sampled: SampledText, find: (chat: Chat) => SeenTurn): SeenTurn {
  const seen = find(chat)
  if (seen.isAppended || seen.stage === 'next' || !traitsOf(chat.reply).hasCalls) return seen
  const asText = find({ ...chat, reply: { role: 'assistant', content: sampled.text } })
  return asText.isAppended ? asText : seen
}

type SampledText = {
  text: string
  /** The special token or the end marker that it ended on; empty for a reply that was cut. */
  end: string
}

/** The text of a reply, and what ended it. */
function sampledText(ids: readonly number[], tokenizer: Tokenizer, marker: string | undefined): SampledText {
  const text = decodeTokens(ids, tokenizer)
  const last = ids.at(-1)
  const special = tokenizer.addedTokens.find(({ id, special }) => special && id === last)?.content
  const end = [marker, special].find((ending) => ending !== undefined && text.endsWith(ending)) ?? ''
  return { text: text.slice(0, text.length - end.length), end }
}

const refusals = {
  prompt: 'the finished turn does not start with its generation prompt',
  history: 'the format rewrites earlier turns as the chat continues',
  error: 'the format cannot write this chat',
  reply: 'the format does not write the reply',
  next: 'the format does not write behind the reply:',
  opener: "the model opened a user's turn, and another one follows",
}

/**
 * Removes the middle of a long chat if the format renders messages independently, which leaves its end unchanged. Other chats are
 * returned as they are.
 */
export function withoutMiddle(format: Format, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const period = periodOf(format, messages)
  if (period === undefined) return messages
  const count = Math.floor((messages.length - 2 * localReach) / period) * period
  if (count <= 0) return messages
  const end = localReach + count
  for (let index = localReach; index <= end; index++) {
    const role = messages[index]?.role
    // Consecutive messages may be joined and a system message moved: then there are fewer turns than messages.
    if (role === 'system' || role === 'developer' || role === messages[index - 1]?.role) return messages
  }
  if (messages[end]?.role === messages[localReach - 1]?.role) return messages
  return [...messages.slice(0, localReach), ...messages.slice(end)]
}

/** The period in messages after which a format renders a message the same way; undefined if it depends on more. */
function periodOf(format: Format, messages: readonly ChatMessage[]): number | undefined {
  if (format.isLocal) return 2
  const plain = format.plainChat?.({ want: 'generate' })
  return plain && messages.every(isPlainMessage) ? 2 * plain.period : undefined
}
