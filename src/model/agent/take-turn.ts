import type { Prompt } from '../../prompt/format/format.ts'
import type { GenerateOptions, LanguageModel, ModelReply } from '../language-model/language-model.ts'
import type { Reply, ReplyEvent, ReplySyntax } from '../reply/index.ts'
import { exactIds, openingOf, ReplyReader } from '../reply/index.ts'
import type { AgentEvent } from './agent-event.ts'

export type TurnOptions = {
  model: LanguageModel
  syntax: ReplySyntax
  tools: readonly unknown[]
  generation: GenerateOptions
  emit: (event: AgentEvent) => void
}

/** The model's reply, raw and parsed. */
export type AgentTurn = { written: ModelReply; reply: Reply }

/** Sends a prompt and reads the reply: emits text while it is written, and calls when they are certain. */
export async function takeTurn(prompt: Prompt, { model, syntax, tools, generation, emit }: TurnOptions): Promise<AgentTurn> {
  const { tokenizer } = model
  const { stopTexts } = generation
  const reader = new ReplyReader({ syntax, opening: openingOf(prompt), tools, tokenizer, stop: prompt.stop, stopTexts })
  const tell = (events: readonly ReplyEvent[]) => {
    for (const event of events) if (event.type === 'text' || event.type === 'reasoning') emit(event)
  }
  const answer = await model.generate(prompt, {
    ...generation,
    onToken: ({ id }) => tell(reader.token(id)),
    onText: (text) => tell(reader.text(text)),
  })
  tell(reader.end(answer))
  return { written: withExactIds(answer, exactIds(answer, tokenizer)), reply: reader.reply }
}

function withExactIds(answer: ModelReply, exact: readonly number[] | undefined): ModelReply {
  if (answer.ids === exact) return answer
  const { ids: _, logProbabilities: __, ...rest } = answer
  return rest
}
