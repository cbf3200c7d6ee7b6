import { chatGenerationOf } from '../../../evaluation/run/ask/generation.ts'
import { fitMlcHistory } from '../../../model/agent/fit-mlc-history.ts'
import { historyOf } from '../../../model/agent/history-of.ts'
import { promptCounter } from '../../../prompt/compile/fit/prompt-counter.ts'
import type { ChatMessage } from '../../../prompt/conversation/chat-message.ts'
import type { Prompt } from '../../../prompt/format/format.ts'
import type { ServedModel } from '../served-model.ts'

/**
 * Renders a chat; for models with an mlc-chat-config.json, drops the oldest messages if the prompt and the expected reply exceed the window,
 * as MLC and `rolecall chat` do. For other models, clients have to shorten the chat.
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
