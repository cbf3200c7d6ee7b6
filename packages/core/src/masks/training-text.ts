import { checkOptionsOf } from '../base/errors/check-options.ts'
import type { PyValue } from '../base/python/index.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import type { Format, Prompt } from '../prompt/format/format.ts'
import { type ChatText, ownText, type WriteChat } from './chat-text.ts'
import { endOfFormat, formatWriter, writeInFull } from './format-writer.ts'
import { type ModelTurn, modelTurns } from './model-turns.ts'
import { policyChecks, type TrainingPolicy, wholeTurns } from './policy.ts'

/** A conversation to train on. */
export type TrainingChat = { messages: readonly ChatMessage[]; tools?: readonly PyValue[] }

/** A trained range of the text. */
export type TrainedSpan = { start: number; end: number; message: number; weight?: number }

/** A model turn whose trained characters cannot be determined, and why. */
export type UndecidedTurn = { message: number; why: string; at?: number; expected?: string; found?: string }

/** A conversation rendered for training. */
export type TrainingText = {
  text: string
  prompt: Prompt & { kind: 'completion' }
  spans: readonly TrainedSpan[]
  undecided: readonly UndecidedTurn[]
  turns: readonly ModelTurn[]
}

/**
 * Renders a conversation in a model's format and determines which characters the model itself would write, which are the ones to
 * train. Found by rendering the generation prompt of each turn, so it works for any template; a finished turn that does not start
 * with its generation prompt is undecided and not trained.
 *
 * @example
 * const messages = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello!' }]
 * const { text, spans } = trainingText({ messages }, compileChat('internlm2').format)
 * const trained = spans.map(({ start, end }) => text.slice(start, end))
 * trained // => ['Hello!<|im_end|>']
 */
export function trainingText({ messages, tools }: TrainingChat, format: Format, policy: Partial<TrainingPolicy> = {}): TrainingText {
  checkOptionsOf(policy, policyChecks, 'trainingText › policy')
  const chosen = { ...wholeTurns, ...policy }
  const write = formatWriter(format, tools)
  const whole = writeInFull(format, { messages, ...(tools && { tools }) })
  const turns = modelTurns(messages, traitsOf, write as WriteChat<ChatMessage>, whole, endOfFormat(format))
  const asked = chosen.turns === 'last' ? turns.slice(-1) : turns
  return {
    text: whole.text,
    prompt: whole.prompt,
    turns,
    spans: asked.flatMap((turn) => {
      const message = messages[turn.message]
      return turn.isKnown && message !== undefined ? trainedSpans(turn, whole, message, chosen) : []
    }),
    undecided: asked.flatMap((turn) => (turn.isKnown ? [] : [undecided(turn)])),
  }
}

/**
 * What the model wrote in a prompt that ends where it speaks again: its text, and ranges of it; turns that are undecided are left out.
 */
export function modelSpans(
  { messages, tools }: TrainingChat,
  format: Format,
): { text: string; spans: (readonly [start: number, end: number])[] } {
  const whole = writeInFull(format, { messages, ...(tools && { tools }) }, 'generate')
  const turns = modelTurns(messages, traitsOf, formatWriter(format, tools) as WriteChat<ChatMessage>, whole, endOfFormat(format))
  return { text: whole.text, spans: turns.flatMap((turn) => (turn.isKnown ? [turn.span] : [])) }
}

/** The relevant traits of an OpenAI message. */
export function traitsOf(message: ChatMessage): { role: string; hasCalls: boolean } {
  const { role, tool_calls: calls } = message as { role?: unknown; tool_calls?: unknown }
  return { role: String(role), hasCalls: Array.isArray(calls) && calls.length > 0 }
}

type KnownTurn = ModelTurn & { isKnown: true }

function trainedSpans(turn: KnownTurn, whole: ChatText, message: ChatMessage, policy: TrainingPolicy): TrainedSpan[] {
  const { weight } = message as { weight?: unknown }
  if (weight === 0) return []
  const given = typeof weight === 'number' && weight !== 1 ? { weight } : {}
  const left = policy.train === 'content' ? wordsOnly(turn, whole) : withoutParts(turn, whole, policy)
  return left.filter(([start, end]) => end > start).map(([start, end]) => ({ start, end, message: turn.message, ...given }))
}

function wordsOnly({ message, span }: KnownTurn, whole: ChatText): [number, number][] {
  const words = ownText(whole, message, '.content')
  return words ? [[Math.max(words.start, span[0]), Math.min(words.end, span[1])]] : []
}

function withoutParts({ message, span, stop }: KnownTurn, whole: ChatText, { reasoning, calls }: TrainingPolicy): [number, number][] {
  const [start, end] = span
  const stopAt = end - (stop?.length ?? 0)
  const thought = reasoning ? undefined : reasoningIn(whole, message)
  const called = calls ? undefined : ownText(whole, message, '.tool_calls')
  const from = thought === undefined ? start : behindMark(whole.text, thought.end)
  if (called === undefined) return [[from, end]]
  const words = ownText(whole, message, '.content')
  return [
    [from, Math.max(from, words?.end ?? from)],
    [stopAt, end],
  ]
}

function reasoningIn(whole: ChatText, message: number): { start: number; end: number } | undefined {
  return ['.reasoning_content', '.reasoning', '.thinking'].map((field) => ownText(whole, message, field)).find((own) => own !== undefined)
}

/** The position after the marker that closes reasoning, and the whitespace around it. */
function behindMark(text: string, at: number): number {
  return at + (/^\s*(?:<[^<>\s]+>|\[\/?[A-Z_]+\])?\s*/.exec(text.slice(at, at + 200))?.[0].length ?? 0)
}

const reasons = {
  prompt: 'the finished turn does not start with its generation prompt',
  history: 'later messages rewrite the turn or the text before it',
  error: 'the format cannot render the generation prompt of this turn',
}

function undecided({ message, stage, at, expected, found }: ModelTurn & { isKnown: false }): UndecidedTurn {
  return { message, why: reasons[stage], ...(stage === 'error' ? {} : { at, expected, found }) }
}
