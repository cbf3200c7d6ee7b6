import { chatGenerationOf } from '../../../evaluation/run/ask/generation.ts'
import type { GenerateOptions, LikelyToken, Reply } from '../../../model/language-model/language-model.ts'
import type { ReplyEvent } from '../../../model/reply/index.ts'
import { exactIds, ReplyReader } from '../../../model/reply/index.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'
import { stopTokens } from '../completions/raw-prompt.ts'
import { noLogProbabilities } from '../no-log-probabilities.ts'
import { requestSampling, stopTextsOf } from '../sampling-request.ts'
import type { ServedModel } from '../served-model.ts'
import type { Serving } from '../server-context.ts'
import { withDeadline } from '../with-deadline.ts'
import type { ChatPrompt } from './chat-prompt.ts'
import type { ChatRequest } from './chat-request.ts'
import { chooseTool } from './choose-tool.ts'
import { type Delta, DeltaWriter } from './delta-writer.ts'

/** A token of the reply, and how likely it was. */
export type ReplyToken = LikelyToken & { top?: readonly LikelyToken[] }

export type ChatEvents = { onDelta: (delta: Delta) => void; onToken?: (token: ReplyToken) => void }

export type AnsweredChat = {
  finish: 'stop' | 'length' | 'tool_calls'
  /** The text of the request's `stop` that ended it, where that is known. */
  stoppedBy?: string
  tokens: Reply['tokens']
  problems: readonly string[]
  /** What the model generated, where it is known and is all of the reply. */
  generated?: { ids: readonly number[]; text: string }
}

/** The longest reply where neither the request, nor the config, nor the model's context says so. */
const defaultLength = 4096

/** Asks the model once, and tells what it says while it says it. */
export async function answerChat(
  serving: Serving,
  served: ServedModel,
  request: ChatRequest,
  given: ChatPrompt,
  { choice, signal, events }: { choice: number; signal: AbortSignal; events: ChatEvents },
): Promise<AnsweredChat> {
  const { model, config } = served
  const stopTexts = stopTextsOf(request.stop)
  let reader: ReplyReader
  const writer = new DeltaWriter((start, end) => reader.written.slice(start, end))
  const start = serving.now()
  let isHeard = false
  const tell = (read: readonly ReplyEvent[]) => {
    if (!isHeard) serving.watch.first(served.name, serving.now() - start)
    isHeard = true
    for (const delta of writer.write(read)) events.onDelta(delta)
  }
  let heard = 0
  const options: GenerateOptions = {
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? chatGenerationOf(config).maxTokens ?? model.context ?? defaultLength,
    minTokens: request.min_tokens ?? 0,
    stopTexts,
    sampling: requestSampling(request, config, choice, serving.randomSeed),
    onText: (text) => tell(reader.text(text)),
    onToken: (token) => {
      heard++
      if (request.logprobs) events.onToken?.(token)
      tell(reader.token(token.id))
    },
    ...(request.logprobs ? { topTokens: request.top_logprobs ?? 0 } : {}),
  }
  const ask = async (stop: AbortSignal) => {
    const asked = await chooseTool(given, served, stop)
    const { syntax, opening, tools, constraint, later } = asked
    const isWhole = asked.forcedFrom === undefined && asked.prompt.kind === 'completion'
    const known = isWhole ? served.replies.recall(asked.prompt) : asked.prompt
    const prompt = { ...known, stop: [...known.stop, ...stopTokens(request.stop_token_ids)] }
    reader = new ReplyReader({
      syntax,
      opening,
      tools,
      tokenizer: model.tokenizer,
      stop: prompt.stop,
      stopTexts: constraint ? [] : stopTexts,
    })
    const reply = await model.generate(prompt, { ...options, constraint, later, signal: stop })
    return { reader, reply: closedCall(reply, asked.endOfArguments, model.tokenizer), isWhole }
  }
  const { reply, isWhole, ...read } = await served.turns.take(() => withDeadline(signal, serving.limits.seconds, ask), signal)
  if (request.logprobs) {
    if (reply.logProbabilities === undefined || reply.ids === undefined) throw noLogProbabilities(served.name, 'a reply', 'logprobs')
    for (let index = heard; index < reply.ids.length; index++) {
      const top = reply.topTokens?.[index]
      events.onToken?.({ id: reply.ids[index]!, logProbability: reply.logProbabilities[index]!, top })
    }
  }
  tell(read.reader.end(reply))
  serving.watch.reply(served.name, reply.tokens, choice === 0)
  for (const delta of writer.end()) events.onDelta(delta)
  const ids = exactIds(reply, model.tokenizer)
  if (isWhole && ids) served.replies.remember(given.prompt, { ids, text: reply.text })
  return {
    finish: reply.finish === 'length' ? 'length' : writer.calls > 0 ? 'tool_calls' : 'stop',
    ...(reply.stoppedBy !== undefined && stopTexts.includes(reply.stoppedBy) ? { stoppedBy: reply.stoppedBy } : {}),
    tokens: reply.tokens,
    problems: [...writer.problems, ...brokenConstraints(reply)],
    ...(isWhole && ids ? { generated: { ids, text: reply.text } } : {}),
  }
}

/** A call whose arguments another server wrote as a value, as it was told; one that was not told so closes the call itself. */
function closedCall(reply: Reply, end: string | undefined, tokenizer: Tokenizer | undefined): Reply {
  if (end === undefined || reply.finish !== 'stop' || !isJson(reply.text)) return reply
  const { ids, ...rest } = reply
  const closed = ids && tokenizer ? { ids: [...ids, ...tokenizer.encodeRun(end, false, () => false).ids] } : {}
  return { ...rest, text: reply.text + end, ...closed }
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

/** What a client should know of a reply that had to be something. */
function brokenConstraints({ notes }: Reply): string[] {
  return notes.filter(({ code }) => code === 'not-constrained' || code === 'stops-unused').map(({ text }) => text)
}
