import { saysLeftOut } from '@rolecall/core/internal/errors'
import type { ReplyEvent } from '@rolecall/core/internal/reply'
import { exactIds, ReplyReader } from '@rolecall/core/internal/reply'
import type { Token, Tokenizer } from '@rolecall/core/internal/tokenizer'
import { chatGenerationOf } from '../../evaluation/run/ask/generation.ts'
import { isCannotScore } from '../../model/language-model/cannot-score.ts'
import type { GenerateOptions, LikelyToken, ModelReply, ScoredPrompt } from '../../model/language-model/language-model.ts'
import { badField } from '../api-error.ts'
import { logProbabilitiesUnsupported } from '../completions/log-probabilities.ts'
import { stopTokens } from '../completions/raw-prompt.ts'
import { asIds, type ReadyPrompt } from '../prompts/as-ids.ts'
import { requestSampling, stopTextsOf } from '../sampling-request.ts'
import type { ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import { withDeadline } from '../with-deadline.ts'
import type { ChatPrompt } from './chat-prompt.ts'
import { type Delta, DeltaWriter } from './delta-writer.ts'
import type { OpenedChat } from './open-chat.ts'

/** A reply token and its alternatives. */
export type ReplyToken = (LikelyToken & { top?: readonly LikelyToken[] | undefined }) | DescribedToken

/** A token as an upstream server describes it. */
type DescribedToken = { described: unknown }

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
  const stopTexts = stopTextsOf(request.stop, config)
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
    const chatPrompt = await chooseTool(given, served, server, stop)
    const { syntax, opening, tools, constraint, later } = chatPrompt
    const asksServer = request.logprobs && chatPrompt.prompt.kind === 'chat'
    const forwarded = { ...given.forwarded, ...(asksServer ? { logprobs: true, top_logprobs: request.top_logprobs ?? undefined } : {}) }
    const isWhole = chatPrompt.forcedFrom === undefined && chatPrompt.prompt.kind === 'completion'
    const recalled = isWhole ? served.replyTokens.recall(chatPrompt.prompt) : chatPrompt.prompt
    const ready = await asIds(recalled, served, server, { signal: stop })
    const prompt = { ...ready.prompt, stop: [...recalled.stop, ...stopTokens(request.stop_token_ids)] }
    reader = new ReplyReader({
      syntax,
      opening,
      tools,
      tokenizer: model.tokenizer,
      stop: prompt.stop,
      stopTexts: constraint ? [] : stopTexts,
    })
    const reply = await model.generate(prompt, {
      ...options,
      constraint,
      later,
      forwarded,
      guides: served.guides(server.client),
      signal: stop,
    })
    return { reader, reply: closeCall(reply, chatPrompt.endOfArguments, model.tokenizer), isWhole }
  }
  const { reply, isWhole, ...read } = await served.queue.run(
    () => withDeadline(signal, server.limits.seconds, generate),
    signal,
    server.client,
  )
  if (request.logprobs) {
    for (const described of reply.describedTokens ?? []) events.onToken?.({ described })
    if (!reply.describedTokens && (reply.logProbabilities === undefined || reply.ids === undefined))
      throw logProbabilitiesUnsupported(served.name, 'a reply', 'logprobs')
    const ids = reply.describedTokens ? [] : (reply.ids ?? [])
    for (let index = streamedTokens; index < ids.length; index++) {
      const top = reply.topTokens?.[index]
      events.onToken?.({ id: ids[index]!, logProbability: reply.logProbabilities![index]!, top })
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
  return notes.filter(({ code }) => code === 'not-constrained' || code === 'not-checked' || code === 'stops-unused').map(({ text }) => text)
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

/**
 * Chooses the tool of a required call: the one whose name is most likely. The model can neither invent a tool nor skip the call. If it
 * cannot score text, only the markers of the call are forced.
 */
async function chooseTool(chatPrompt: ChatPrompt, served: ServedModel, server: ServerContext, signal: AbortSignal): Promise<ChatPrompt> {
  const { model, name } = served
  const { candidates = [] } = chatPrompt
  if (candidates.length === 0) return chatPrompt
  if (!model.score) return markersOnly(chatPrompt, name)
  const ready: ReadyPrompt[] = []
  for (const { prompt, forcedFrom = 0 } of candidates) ready.push(await asIds(prompt, served, server, { signal, from: forcedFrom }))
  const isForced = (token: Token, index: number) => (token.pieces?.[1] ?? -1) >= ready[index]!.from
  let scored: ScoredPrompt[]
  try {
    scored = await model.score(
      ready.map(({ prompt }) => prompt),
      { needs: isForced, signal },
    )
  } catch (error) {
    if (isCannotScore(error)) return markersOnly(chatPrompt, name)
    throw error
  }
  const likelihoods = scored.map(({ tokens, logProbabilities }, index) =>
    tokens.reduce((sum, token, position) => (isForced(token, index) ? sum + (logProbabilities[position] ?? 0) : sum), 0),
  )
  return candidates[likelihoods.indexOf(Math.max(...likelihoods))] ?? chatPrompt
}

/** Markers leave the choice of the tool to the model; a syntax without markers cannot force a call. */
function markersOnly(chatPrompt: ChatPrompt, name: string): ChatPrompt {
  if (chatPrompt.prompt !== chatPrompt.candidates?.[0]?.prompt) return chatPrompt
  throw badField('tool_choice', `${name} cannot choose among several tools; use "auto", or name one`, 'unsupported')
}
