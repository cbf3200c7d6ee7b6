import { compileChat } from '@rolecall/core/internal/compile'
import { type Note, PromptError } from '@rolecall/core/internal/errors'
import { promptText } from '@rolecall/core/internal/format'
import { findSyntax } from '@rolecall/core/internal/reply'
import { noteRow } from '../../packages/rolecall/src/node/notes/all-notes.ts'
import { ApiError } from '../../packages/rolecall/src/server/api-error.ts'
import { buildChatPrompt } from '../../packages/rolecall/src/server/chat/chat-prompt.ts'
import { chatRequest } from '../../packages/rolecall/src/server/chat/chat-request.ts'
import { readChat } from '../../packages/rolecall/src/server/chat/read-chat-request.ts'
import type { RequestedChat } from '../../packages/rolecall/src/server/chat/requested-chat.ts'
import { messagesRequest } from '../../packages/rolecall/src/server/messages/messages-request.ts'
import { readMessages } from '../../packages/rolecall/src/server/messages/read-messages.ts'
import { readBody } from '../../packages/rolecall/src/server/read-body.ts'
import { readResponses } from '../../packages/rolecall/src/server/responses/read-responses.ts'
import { ResponseMemory } from '../../packages/rolecall/src/server/responses/response-memory.ts'
import { responsesRequest } from '../../packages/rolecall/src/server/responses/responses-request.ts'
import type { PromptModel } from '../../packages/rolecall/src/server/served-model.ts'
import { defaultServerLimits } from '../../packages/rolecall/src/server/server-limits.ts'
import type { AgentRequest, NamedTemplate } from './agent-requests.ts'
import { misplacedResults } from './misplaced-results.ts'
import { unnamedLosses } from './named-losses.ts'

/**
 * What became of a request on a template: `kept`, every word once and in order; `reported`, what differs is reported; `refused` by the
 * reader of its API or by the model's format; `silent`, something differs and nothing says so; `failed` is an error of ours.
 */
export type PairVerdict = { outcome: 'kept' | 'reported' | 'refused' | 'silent' | 'failed'; by?: 'reader'; why: readonly string[] }

/** A model to serve with this template, without an engine behind it. */
export function modelOf({ name, template, tokens }: NamedTemplate): PromptModel {
  const config = { chat_template: template, special_tokens: tokens, roles: 'auto' } as const
  const maker = compileChat(config)
  const { syntax, example } = findSyntax(maker.format)
  return { name, config, maker, syntax, example, model: { name, tokenizer: undefined } } as PromptModel
}

/** Whether a template writes one question: others need variables that no request has. */
export function takesQuestion({ maker }: PromptModel): boolean {
  try {
    return promptText(maker.render({ messages: [{ role: 'user', content: 'zq9999' }] })).includes('zq9999')
  } catch (error) {
    if (error instanceof PromptError) return false
    throw error
  }
}

/** Reads a request as its route does; a refusal by its error. */
export function readRequest({ api, body }: AgentRequest): RequestedChat {
  switch (api) {
    case 'chat':
      return readChat(readBody(body, chatRequest), defaultServerLimits)
    case 'messages':
      return readMessages(readBody(body, messagesRequest))
    case 'responses':
      return readResponses(readBody(body, responsesRequest), new ResponseMemory({ responses: 1, bytes: 1 }).of(undefined))
    default:
      return api satisfies never
  }
}

/** Renders a request for a model as the server does, and counts its words in the prompt. */
export function judgePair(request: AgentRequest, requested: RequestedChat, served: PromptModel): PairVerdict {
  try {
    const { prompt } = buildChatPrompt(served, requested.settings, requested.exact)
    if (prompt.kind !== 'completion') return { outcome: 'failed', why: ['the prompt is no text'] }
    return judgeText(request, requested, promptText(prompt), prompt.notes)
  } catch (error) {
    return refusalOf(error)
  }
}

/** How an error counts: one that the client is told about is a refusal. */
export function refusalOf(error: unknown): PairVerdict {
  if (error instanceof ApiError && error.status < 500) return { outcome: 'refused', why: [error.message] }
  if (error instanceof PromptError) return { outcome: 'refused', why: [`${error.code}: ${error.problem}`] }
  return { outcome: 'failed', why: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
}

function judgeText(request: AgentRequest, requested: RequestedChat, text: string, notes: readonly Note[]): PairVerdict {
  const { lost, lostWords, changed } = differences(request, text)
  const swapped = misplacedResults(requested.exact.messages, text)
  const losses = notes.filter(({ code }) => noteRow(code)?.isLoss)
  const steps = notes.filter(({ code }) => noteRow(code)?.isStep)
  const isLossReported = losses.length > 0 || requested.problems.length > 0
  const silent = [
    ...(isLossReported ? [] : lost),
    ...unnamedLosses(lostWords, requested, losses).map((word) => `no report names the message or tool of ${word}`),
    ...(steps.length > 0 || isLossReported ? [] : changed),
    ...(request.isPartial && requested.problems.length === 0 ? ['part of the conversation is elsewhere'] : []),
    ...swapped,
  ]
  if (silent.length > 0) return { outcome: 'silent', why: silent }
  if (lost.length + changed.length > 0) return { outcome: 'reported', why: [...lost, ...changed] }
  return { outcome: 'kept', why: [] }
}

/** Words that are missing or forbidden, and words that come twice or out of order. */
function differences({ words }: AgentRequest, text: string): { lost: string[]; lostWords: string[]; changed: string[] } {
  const lost: string[] = []
  const lostWords: string[] = []
  const changed: string[] = []
  const placed: { word: string; key: number; at: number }[] = []
  for (const { word, kind, order_key: key, may_be_dropped: isOptional, must_not_appear: isForbidden } of words) {
    const at = text.indexOf(word)
    if (isForbidden) {
      if (at >= 0) lost.push(`${word} (${kind}) must not appear`)
      continue
    }
    if (at < 0) {
      if (isOptional) continue
      lost.push(`${word} (${kind}) is missing`)
      lostWords.push(word)
      continue
    }
    if (text.includes(word, at + 1)) changed.push(`${word} (${kind}) comes twice`)
    if (key > 0) placed.push({ word, key, at })
  }
  placed.sort((a, b) => a.at - b.at)
  let latest = 0
  for (const { word, key } of placed) {
    if (key < latest) changed.push(`${word} is out of order`)
    latest = Math.max(latest, key)
  }
  return { lost, lostWords, changed }
}
