import type { PyValue } from '../../base/python/index.ts'
import type { ChatMessage } from '../../prompt/conversation/chat-message.ts'
import type { Format, Prompt } from '../../prompt/format/format.ts'
import { endOfFormat, formatWriter, writeInFull } from './format-writer.ts'
import { type ModelTurn, modelTurns } from './model-turns.ts'
import { type TrainingPolicy, wholeTurns } from './policy.ts'
import { ownText, type WriteChat, type Written } from './written.ts'

/** A conversation to train on. */
export type TrainingChat = { messages: readonly ChatMessage[]; tools?: readonly PyValue[] }

/** A part of the text that is trained: characters from `start` to `end`. */
export type TrainedSpan = { start: number; end: number; message: number; weight?: number }

/** A turn of the model of which nobody can say which characters it writes, and why. */
export type UndecidedTurn = { message: number; why: string; at?: number; expected?: string; found?: string }

/** A conversation as a model is trained on it. */
export type TrainingText = {
  text: string
  prompt: Prompt & { kind: 'completion' }
  spans: readonly TrainedSpan[]
  undecided: readonly UndecidedTurn[]
  turns: readonly ModelTurn[]
}

/**
 * The text of a conversation in a model's format, and which characters of it the model itself would write: those that training
 * teaches. It is found by asking the format for each turn, so that it holds for any template; where a template writes a
 * finished turn in another way than it asks for it, the turn is undecided and not trained.
 *
 * @example
 * const messages = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello!' }]
 * const { text, spans } = trainingText({ messages }, compileChat('internlm2').format)
 * const trained = spans.map(({ start, end }) => text.slice(start, end))
 * trained // => ['Hello!<|im_end|>']
 */
export function trainingText({ messages, tools }: TrainingChat, format: Format, policy: Partial<TrainingPolicy> = {}): TrainingText {
  const chosen = { ...wholeTurns, ...policy }
  const write = formatWriter(format, tools)
  const whole = writeInFull(format, { messages, ...(tools && { tools }) })
  const turns = modelTurns(messages, traitsOf, write as WriteChat<ChatMessage>, whole, endOfFormat(format))
  const asked = chosen.turns === 'last' ? turns.slice(-1) : turns
  return {
    text: whole.text,
    prompt: whole.prompt,
    turns,
    spans: asked.flatMap((turn) => (turn.isKnown ? trainedSpans(turn, whole, messages[turn.message]!, chosen) : [])),
    undecided: asked.flatMap((turn) => (turn.isKnown ? [] : [undecided(turn)])),
  }
}

/** What must be known of a message, by OpenAI's names. */
export function traitsOf(message: ChatMessage): { role: string; hasCalls: boolean } {
  const { role, tool_calls: calls } = message as { role?: unknown; tool_calls?: unknown }
  return { role: String(role), hasCalls: Array.isArray(calls) && calls.length > 0 }
}

type KnownTurn = ModelTurn & { isKnown: true }

function trainedSpans(turn: KnownTurn, whole: Written, message: ChatMessage, policy: TrainingPolicy): TrainedSpan[] {
  const { weight } = message as { weight?: unknown }
  if (weight === 0) return []
  const given = typeof weight === 'number' && weight !== 1 ? { weight } : {}
  const left = policy.train === 'content' ? wordsOnly(turn, whole) : withoutParts(turn, whole, policy)
  return left.filter(([start, end]) => end > start).map(([start, end]) => ({ start, end, message: turn.message, ...given }))
}

function wordsOnly({ message, span }: KnownTurn, whole: Written): [number, number][] {
  const words = ownText(whole, message, '.content')
  return words ? [[Math.max(words.start, span[0]), Math.min(words.end, span[1])]] : []
}

function withoutParts({ message, span, stop }: KnownTurn, whole: Written, { reasoning, calls }: TrainingPolicy): [number, number][] {
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

function reasoningIn(whole: Written, message: number): { start: number; end: number } | undefined {
  return ['.reasoning_content', '.reasoning', '.thinking'].map((field) => ownText(whole, message, field)).find((own) => own !== undefined)
}

/** Behind the mark that closes a thought, and the white space around it. */
function behindMark(text: string, at: number): number {
  return at + (/^\s*(?:<[^<>\s]+>|\[\/?[A-Z_]+\])?\s*/.exec(text.slice(at, at + 200))?.[0].length ?? 0)
}

const reasons = {
  prompt: 'the format asks for the turn in another way than it writes it once it is finished',
  history: 'what follows rewrites the turn, or what stands before it',
  error: 'the format cannot ask for this turn',
}

function undecided({ message, stage, at, expected, found }: ModelTurn & { isKnown: false }): UndecidedTurn {
  return { message, why: reasons[stage], ...(stage === 'error' ? {} : { at, expected, found }) }
}
