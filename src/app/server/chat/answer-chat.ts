import { saysLeftOut } from '../../../base/errors/note.ts'
import { chatGenerationOf } from '../../../evaluation/run/ask/generation.ts'
import type { GenerateOptions, LikelyToken, ModelReply } from '../../../model/language-model/language-model.ts'
import type { ReplyEvent } from '../../../model/reply/index.ts'
import { exactIds, ReplyReader } from '../../../model/reply/index.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'
import { logProbabilitiesUnsupported } from '../completions/log-probabilities.ts'
import { stopTokens } from '../completions/raw-prompt.ts'
import { requestSampling, stopTextsOf } from '../sampling-request.ts'
import { withDeadline } from '../with-deadline.ts'
import type { ChatPrompt } from './chat-prompt.ts'
import { chooseTool } from './choose-tool.ts'
import { type Delta, DeltaWriter } from './delta-writer.ts'
import type { OpenedChat } from './open-chat.ts'

/** A reply token and its alternatives. */
export type ReplyToken = LikelyToken & { top?: readonly LikelyToken[] }

export type ChatEvents = { onDelta: (delta: Delta) => void; onToken?: (token: ReplyToken) => void }

export type AnsweredChat = {
  finish: 'stop' | 'length' | 'tool_calls'
  /** The stop sequence of the request that ended the reply, if known. */
  stoppedBy?: string
  tokens: ModelReply['tokens']
  problems: readonly string[]
  /** The generated ids, if they are known and make up the whole reply. */
  generated?: { ids: readonly number[]; text: string }
}

/** Used if neither request, config nor context limits the reply. */
const defaultMaxTokens = 4096

/** Generates one reply; `events` receives it while it is generated. */
export async function answerChat(
  { server, served, request, chatPrompt: given }: OpenedChat,
  { choice = 0, signal, events }: { choice?: number; signal: AbortSignal; events: ChatEvents },
): Promise<AnsweredChat> {
  const { model, config } = served
  const stopTexts = stopTextsOf(request.stop)
  let reader: ReplyReader
  const writer = new DeltaWriter((start, end) => reader.written.slice(start, end))
  const start = server.now()
  let hasStarted = false
  const emit = (read: readonly ReplyEvent[]) => {
    if (!hasStarted) server.observer.first(served.name, server.now() - start)
    hasStarted = true
    for (const delta of writer.write(read)) events.onDelta(delta)
  }
  let streamedTokens = 0
  const options: GenerateOptions = {
    maxTokens:
      request.max_completion_tokens ?? request.max_tokens ?? chatGenerationOf(config).maxTokens ?? model.context ?? defaultMaxTokens,
    minTokens: request.min_tokens ?? 0,
    stopTexts,
    sampling: requestSampling(request, config, choice, server.randomSeed),
    onText: (text) => emit(reader.text(text)),
    onToken: (token) => {
      streamedTokens++
      if (request.logprobs) events.onToken?.(token)
      emit(reader.token(token.id))
    },
    ...(request.logprobs ? { topTokens: request.top_logprobs ?? 0 } : {}),
  }
  const generate = async (stop: AbortSignal) => {
    const chatPrompt = await chooseTool(given, served, stop)
    const { syntax, opening, tools, constraint, later } = chatPrompt
    const isWhole = chatPrompt.forcedFrom === undefined && chatPrompt.prompt.kind === 'completion'
    const recalled = isWhole ? served.replyTokens.recall(chatPrompt.prompt) : chatPrompt.prompt
    const prompt = { ...recalled, stop: [...recalled.stop, ...stopTokens(request.stop_token_ids)] }
    reader = new ReplyReader({
      syntax,
      opening,
      tools,
      tokenizer: model.tokenizer,
      stop: prompt.stop,
      stopTexts: constraint ? [] : stopTexts,
    })
    const reply = await model.generate(prompt, { ...options, constraint, later, signal: stop })
    return { reader, reply: closeCall(reply, chatPrompt.endOfArguments, model.tokenizer), isWhole }
  }
  const { reply, isWhole, ...read } = await served.queue.run(() => withDeadline(signal, server.limits.seconds, generate), signal)
  if (request.logprobs) {
    if (reply.logProbabilities === undefined || reply.ids === undefined)
      throw logProbabilitiesUnsupported(served.name, 'a reply', 'logprobs')
    for (let index = streamedTokens; index < reply.ids.length; index++) {
      const top = reply.topTokens?.[index]
      events.onToken?.({ id: reply.ids[index]!, logProbability: reply.logProbabilities[index]!, top })
    }
  }
  emit(read.reader.end(reply))
  server.observer.reply(served.name, reply.tokens, choice === 0)
  for (const delta of writer.end()) events.onDelta(delta)
  const ids = exactIds(reply, model.tokenizer)
  if (isWhole && ids) served.replyTokens.remember(given.prompt, { ids, text: reply.text })
  return {
    finish: reply.finish === 'length' ? 'length' : writer.calls > 0 ? 'tool_calls' : 'stop',
    ...(reply.stoppedBy !== undefined && stopTexts.includes(reply.stoppedBy) ? { stoppedBy: reply.stoppedBy } : {}),
    tokens: reply.tokens,
    problems: [...writer.problems, ...constraintProblems(reply)],
    ...(isWhole && ids ? { generated: { ids, text: reply.text } } : {}),
  }
}

/** Streams one reply; `begin` is called before the first delta, or at the end of an empty reply. */
export async function streamChat(
  opened: OpenedChat,
  { begin, write }: { begin: () => void; write: (delta: Delta) => void },
  signal: AbortSignal,
): Promise<AnsweredChat> {
  let hasBegun = false
  const beginOnce = () => {
    if (!hasBegun) begin()
    hasBegun = true
  }
  const onDelta = (delta: Delta) => {
    beginOnce()
    write(delta)
  }
  const answered = await answerChat(opened, { signal, events: { onDelta } })
  beginOnce()
  return answered
}

/** Appends the end of the call if an upstream server, constrained to a JSON value, returned only the arguments. */
function closeCall(reply: ModelReply, end: string | undefined, tokenizer: Tokenizer | undefined): ModelReply {
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

function constraintProblems({ notes }: ModelReply): string[] {
  return notes.filter(({ code }) => code === 'not-constrained' || code === 'stops-unused').map(({ text }) => text)
}

const lossCodes: readonly string[] = [
  'fields-dropped',
  'history-dropped',
  'cut-to-window',
  'thinking-unchanged',
  'format-unused',
  'not-enforced',
]

/** Reported to the client: ignored parts of its request, and invalid tool calls. */
export function problemsOf({ problems }: AnsweredChat, { prompt }: ChatPrompt): string[] {
  const dropped = prompt.notes
    .filter((note) => lossCodes.includes(note.code) || saysLeftOut(note))
    .map(({ where, text }) => `${where}: ${text}`)
  return [...dropped, ...problems]
}
