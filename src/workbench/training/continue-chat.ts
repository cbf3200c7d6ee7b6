import type { ChatMessage } from '../../prompt/conversation/chat-message.ts'
import type { Format } from '../../prompt/format/format.ts'
import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'
import { appendedIds } from './appended-ids.ts'
import { endOfFormat, formatWriter, writeInFull } from './format-writer.ts'
import { nextTurn } from './next-turn.ts'
import { withoutMiddle } from './short-chat.ts'
import { type TrainingChat, traitsOf } from './training-text.ts'
import type { WriteChat } from './written.ts'

/** A chat of which the ids that were sent and sampled are kept. */
export type RunningChat = TrainingChat & {
  /** What the model was sent for these messages. */
  promptIds: readonly number[]
  /** What it wrote, as it wrote it: cut or whole, and however it would be encoded if it were read back. */
  replyIds: readonly number[]
}

/** What to send for the next turn: only what is new, or why the whole prompt has to be sent again. */
export type ContinuedChat =
  | {
      isAppended: true
      /** What comes behind the prompt and the reply. */
      appended: readonly number[]
      /** The next prompt: what was sent, what was written, and what is appended. */
      ids: readonly number[]
    }
  | { isAppended: false; why: string; at?: number; shorter?: string; longer?: string }

/**
 * The next prompt of a chat as the ids before it, with something behind them: nothing that was sent or sampled is encoded again.
 * It is proven by writing the whole chat, or, where the template shows that it writes each message by itself, its two ends; where the format writes earlier turns anew (drops thoughts, moves tools) the chat is not
 * continued, and the place is told.
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
  // Where a turn is rewritten is told of the whole chat.
  const turn = found.isAppended || ends === messages ? found : after(messages)
  if (!turn.isAppended) {
    const { stage, at, shorter, longer } = turn
    return stage === 'error' ? { isAppended: false, why: refusals.error } : { isAppended: false, why: refusals[stage], at, shorter, longer }
  }
  const appended = appendedIds(turn, replyIds, tokenizer, { markers: format.markers, tokens: format.tokens })
  return {
    isAppended: true,
    appended,
    // Put together for those who ask: it would cost time in the whole chat.
    get ids() {
      return promptIds.concat(replyIds, appended)
    },
  }
}

const refusals = {
  prompt: 'the format writes the finished turn in another way than it asked for it',
  history: 'the format writes earlier turns anew once the chat goes on',
  error: 'the format cannot write this chat',
}
