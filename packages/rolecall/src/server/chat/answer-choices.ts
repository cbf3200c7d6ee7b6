import { answerAll } from '../answer-all.ts'
import { type AnsweredChat, answerChat, type ChatEvents } from './answer-chat.ts'
import type { OpenedChat } from './requested-chat.ts'

/** Writes a choice while it is generated. */
type ChoiceWriter<Choice> = ChatEvents & { end(answered: AnsweredChat): Choice }

/** Generates the `n` replies to a chat. */
export function answerChoices<Choice>(opened: OpenedChat, signal: AbortSignal, writerOf: (index: number) => ChoiceWriter<Choice>) {
  const indexes = Array.from({ length: opened.requested.settings.n ?? 1 }, (_, index) => index)
  return answerAll(indexes, opened.served, signal, async (index, stop) => {
    const writer = writerOf(index)
    const answered = await answerChat(opened, { choice: index, signal: stop, events: writer })
    return { answer: writer.end(answered), tokens: answered.tokens }
  })
}
