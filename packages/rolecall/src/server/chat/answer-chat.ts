import { type Constraint, checkArguments } from '@rolecall/core/internal/constrain'
import { isDict, type PyValue, parseJson } from '@rolecall/core/internal/python'
import type { ReplyEvent } from '@rolecall/core/internal/reply'
import { exactIds, ReplyReader } from '@rolecall/core/internal/reply'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { chatGenerationOf } from '../../evaluation/run/ask/generation.ts'
import type { GenerateOptions, LikelyToken, ModelReply } from '../../model/language-model/language-model.ts'
import { logProbabilitiesUnsupported } from '../completions/log-probabilities.ts'
import { stopTokens } from '../completions/raw-prompt.ts'
import { inTurn } from '../in-turn.ts'
import { ObservedReply } from '../observed-reply.ts'
import { asIds } from '../prompts/as-ids.ts'
import { constraintPlace } from '../response-format.ts'
import { replySettings } from '../sampling-request.ts'
import { followSession } from '../sessions/follow-session.ts'
import { chooseTool } from './choose-tool.ts'
import { type Delta, DeltaWriter } from './delta-writer.ts'
import { type OpenedChat, problemsOf } from './requested-chat.ts'

/** A reply token and its alternatives. */
export type ReplyToken = (LikelyToken & { top?: readonly LikelyToken[] | undefined }) | DescribedToken

/** A token as an upstream server describes it. */
type DescribedToken = { described: unknown }

export type ChatEvents = { onDelta: (delta: Delta) => void; onToken?: (token: ReplyToken) => void }

export type AnsweredChat = {
  finish: 'stop' | 'length' | 'tool_calls'
  /** The stop sequence of the request that ended the reply, if known. */
  stoppedBy?: string
  /** As counted for the request: the prompt counts with the first reply. */
  tokens: ModelReply['tokens']
  /** Ignored parts of the request, and invalid calls, if there are any. */
  problems?: readonly string[]
  /** The generated ids, if they are known and make up the whole reply. */
  generated?: { ids: readonly number[]; text: string }
}

/** Used if neither request, config nor context limits the reply. */
const defaultMaxTokens = 4096

/** Generates one reply; `events` receives it while it is generated. */
export async function answerChat(
  opened: OpenedChat,
  { choice = 0, signal, events }: { choice?: number; signal: AbortSignal; events: ChatEvents },
): Promise<AnsweredChat> {
  const { server, served, chatPrompt: given } = opened
  const { settings: request } = opened.requested
  const { model, config } = served
  const settings = replySettings(request, served, { choice, randomSeed: server.randomSeed })
  const { stopTexts } = settings
  let reader: ReplyReader
  const writer = new DeltaWriter((start, end) => reader.written.slice(start, end))
  const observed = new ObservedReply(server, served)
  let content = ''
  const pass = (deltas: readonly Delta[]) => {
    for (const delta of deltas) {
      content += delta.content ?? ''
      events.onDelta(delta)
    }
  }
  const emit = (read: readonly ReplyEvent[]) => {
    observed.begin()
    pass(writer.write(read))
  }
  let streamedTokens = 0
  const options: GenerateOptions = {
    ...settings,
    maxTokens:
      request.max_completion_tokens ?? request.max_tokens ?? chatGenerationOf(config).maxTokens ?? model.context ?? defaultMaxTokens,
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
  const rewrite = choice === 0 ? followSession(opened) : undefined
  const { reply, isWhole, ...read } = await inTurn(server, served, signal, generate)
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
  const tokens = observed.end(reply.tokens, choice === 0)
  if (!model.tokenizer) served.lengths.observe(opened.chatPrompt.prompt, reply.tokens)
  pass(writer.end())
  const { expected } = opened.chatPrompt
  const unexpected = expected && writer.calls === 0 && reply.finish === 'stop' ? formatProblems(content, expected) : []
  const ids = exactIds(reply, model.tokenizer)
  if (isWhole && ids) served.replyTokens.remember(given.prompt, { ids, text: reply.text })
  return {
    finish: reply.finish === 'length' ? 'length' : writer.calls > 0 ? 'tool_calls' : 'stop',
    ...(reply.stoppedBy !== undefined && stopTexts.includes(reply.stoppedBy) ? { stoppedBy: reply.stoppedBy } : {}),
    tokens,
    problems: problemsOf(opened, [...((await rewrite) ?? []), ...writer.problems, ...unexpected, ...constraintProblems(reply)]),
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

/** How a text violates a format that was not enforced. */
function formatProblems(text: string, expected: Constraint): string[] {
  const where = constraintPlace(expected)
  let value: PyValue
  try {
    value = parseJson(text)
  } catch {
    return [`${where}: the reply is not JSON`]
  }
  if (expected.kind === 'json-object') return isDict(value) ? [] : [`${where}: the reply is not a JSON object`]
  if (expected.kind !== 'json-schema') return []
  return checkArguments(value, expected.schema).map(
    ({ path, problem }) => `${where}: the reply violates it: ${path === '' ? '' : `${path} `}${problem}`,
  )
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
