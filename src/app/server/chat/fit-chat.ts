import { chatGenerationOf } from '../../../evaluation/run/ask/generation.ts'
import { fitMlcHistory } from '../../../model/agent/fit-mlc-history.ts'
import { historyOf } from '../../../model/agent/history-of.ts'
import { promptCounter } from '../../../prompt/compile/fit/prompt-counter.ts'
import type { ChatMessage } from '../../../prompt/conversation/chat-message.ts'
import type { Prompt } from '../../../prompt/format/format.ts'
import type { ServedModel } from '../served-model.ts'

/**
 * A chat as a model with a mlc-chat-config.json is asked: where window and expected reply overflow, the oldest messages are left out, as
 * MLC's chats do and `rolecall chat` does. Other models are asked everything, and what does not fit is the client's to shorten.
 */
export function fitChat(
  { model, maker, config }: ServedModel,
  messages: readonly ChatMessage[],
  render: (messages: readonly ChatMessage[]) => Prompt,
): Prompt {
  const history = historyOf(config)
  const window = history.window ?? model.context
  const count = promptCounter(model.tokenizer, maker.format)
  if (history.shift !== 'mlc' || window === undefined || count === undefined) return render(messages)
  const { maxTokens = window } = chatGenerationOf(config)
  const { prompt, notes } = fitMlcHistory(messages, {
    window,
    reserve: Math.min(history.reserve ?? 0, maxTokens),
    fill: history.fill ?? 1,
    dropped: 0,
    render,
    count,
  })
  return notes.length === 0 ? prompt : { ...prompt, notes: [...prompt.notes, ...notes] }
}
