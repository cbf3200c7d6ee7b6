import { localReach } from '../base/jinja/index.ts'
import { isPlainMessage } from '../prompt/compile/plain-message.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import type { Format } from '../prompt/format/format.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import { appendedIds } from './appended-ids.ts'
import type { WriteChat } from './chat-text.ts'
import { endOfFormat, formatWriter, writeInFull } from './format-writer.ts'
import { nextTurn } from './next-turn.ts'
import { type TrainingChat, traitsOf } from './training-text.ts'

/** A chat whose sent and sampled ids are kept. */
export type RunningChat = TrainingChat & {
  /** The prompt sent for these messages. */
  promptIds: readonly number[]
  /** The sampled reply, truncated or complete, regardless of how its text would be encoded again. */
  replyIds: readonly number[]
}

/** What to send for the next turn: only the new ids, or why the whole prompt must be sent again. */
export type ContinuedChat =
  | {
      isAppended: true
      /** Follows the prompt and the reply. */
      appended: readonly number[]
      /** The next prompt: prompt, reply and appended ids. */
      ids: readonly number[]
    }
  | { isAppended: false; why: string; at?: number; shorter?: string; longer?: string }

/**
 * The next prompt of a chat as the previous ids plus appended ones: nothing sent or sampled is encoded again. Verified by rendering the
 * whole chat or, if the template renders messages independently, its start and end. If the format rewrites earlier turns (drops
 * reasoning, moves tools), the chat is not continued, and the position is reported.
 */
export function continueChat(
  { messages, tools, promptIds, replyIds }: RunningChat,
  reply: ChatMessage,
  next: readonly ChatMessage[],
  { format, tokenizer }: { format: Format; tokenizer: Tokenizer },
): ContinuedChat {
  const write = formatWriter(format, tools) as WriteChat<ChatMessage>
  const whole = (given: readonly ChatMessage[]) => writeInFull(format, { messages: given, ...(tools && { tools }) }, 'generate')
  const after = (earlier: readonly ChatMessage[]) => nextTurn({ earlier, reply, next }, traitsOf(reply), write, endOfFormat(format), whole)
  const ends = withoutMiddle(format, messages)
  const found = after(ends)
  // Rewrites are reported for the whole chat.
  const turn = found.isAppended || ends === messages ? found : after(messages)
  if (!turn.isAppended) {
    const { stage, at, shorter, longer } = turn
    return stage === 'error' ? { isAppended: false, why: refusals.error } : { isAppended: false, why: refusals[stage], at, shorter, longer }
  }
  const appended = appendedIds(turn, replyIds, tokenizer, { markers: format.markers, tokens: format.tokens })
  return {
    isAppended: true,
    appended,
    // Lazy: concatenating takes time in a long chat.
    get ids() {
      return promptIds.concat(replyIds, appended)
    },
  }
}

const refusals = {
  prompt: 'the finished turn does not start with its generation prompt',
  history: 'the format rewrites earlier turns as the chat continues',
  error: 'the format cannot write this chat',
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
