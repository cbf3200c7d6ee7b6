import { commonLength, growthOf, modelTurn } from '@rolecall/core/internal/masks'
import { assistant, call, calling, type ProbeChat, type ProbeMessage, result, system, thinking, tool, user } from './probe-chats.ts'
import type { TemplateSubject, WrittenChat } from './template-subject.ts'

/** A prompt that does not extend the previous one. */
export type Rewrite = {
  chat: GrowingChat
  /** The number of messages of the two prompts. */
  from: number
  to: number
  /** The earlier prompt, with the model's turn if that is what changes. */
  shorter: WrittenChat
  longer: WrittenChat
  /** The first character that differs. */
  at: number
}

/** The first point at which a growing conversation is rewritten, in its history or in the model's turn. */
export function rewriteIn(subject: TemplateSubject, chat: GrowingChat): Rewrite | undefined {
  const { messages, ...more } = chat
  const steps = stepsOf(messages)
  for (const [index, from] of steps.entries()) {
    const to = steps[index + 1]
    if (to === undefined) return undefined
    const found = rewriteAt(subject, chat, more, from, to)
    if (found !== undefined) return found
  }
  return undefined
}

/** The message counts at which the model generates. */
function stepsOf(messages: readonly ProbeMessage[]): number[] {
  return [...messages.keys(), messages.length].filter((count) => count > 0 && (messages[count]?.role ?? 'assistant') === 'assistant')
}

function rewriteAt(subject: TemplateSubject, chat: GrowingChat, more: object, from: number, to: number): Rewrite | undefined {
  const { messages } = chat
  const at = (count: number, addGenerationPrompt: boolean) =>
    subject.write({ ...more, messages: messages.slice(0, count), addGenerationPrompt })
  const [shorter, longer, history] = [at(from, true), at(to, true), at(from, false)]
  if (shorter === undefined || longer === undefined) return undefined
  const growth = growthOf(shorter.text, longer.text)
  // A difference within the generation prompt costs a few tokens; one before it, everything after it.
  const asked = history === undefined ? 0 : commonLength(history.text, shorter.text)
  if (!growth.isAppended && growth.at < asked) return { chat, from, to, shorter, longer, at: growth.at }
  const turn = turnOf(subject, chat, from, to, longer)
  if (turn === undefined || turn.isSilent || turn.isKnown || turn.stage !== 'history') return undefined
  const finished = at(from + 1, false)
  return finished && { chat, from, to, shorter: finished, longer, at: turn.at }
}

function turnOf(subject: TemplateSubject, chat: GrowingChat, from: number, to: number, whole: WrittenChat) {
  const { messages, name: _, ...more } = chat
  const given = messages.slice(0, to)
  const hasCalls = given[from]!.tool_calls !== undefined
  return modelTurn({ given, message: from, hasCalls, write: subject.writer(more), whole, end: subject.end })
}

/** Growing conversations: rendered before each answer and after the last message. */
export type GrowingChat = Omit<ProbeChat, 'addGenerationPrompt'> & { name: string }

const plain = [user('qzUserA'), assistant('qzAnswerA'), user('qzUserB'), assistant('qzAnswerB'), user('qzUserC')]
const thoughts = [
  user('qzUserA'),
  thinking('qzAnswerA', 'qzThoughtA'),
  user('qzUserB'),
  thinking('qzAnswerB', 'qzThoughtB'),
  user('qzUserC'),
]
const inline = thoughts.map((message): ProbeMessage => {
  const { reasoning_content: thought, ...rest } = message
  return thought === undefined ? rest : { ...rest, content: `<think>\n${String(thought)}\n</think>\n\n${String(rest.content)}` }
})
const calls = [
  user('qzUserA'),
  calling([call(0, { qzKey: 'qzValueA' })]),
  result('qzResultA', 0),
  assistant('qzAnswerA'),
  user('qzUserB'),
  calling([call(1, { qzKey: 'qzValueB' })], 'qzSaidB'),
  result('qzResultB', 1),
]
const saidCalls = [
  user('qzUserA'),
  calling([call(0, { qzKey: 'qzValueA' })], 'qzSaidA'),
  result('qzResultA', 0),
  calling([call(1, { qzKey: 'qzValueB' })], 'qzSaidB'),
  result('qzResultB', 1),
  assistant('qzAnswerA'),
  user('qzUserB'),
]
const thoughtCalls = calls.map(
  (message, index): ProbeMessage => (message.role === 'assistant' ? { ...message, reasoning_content: `qzThought${index}` } : message),
)

const withSystem = (messages: readonly ProbeMessage[]) => [system(), ...messages]
const thinks = { enable_thinking: true, thinking: true }

export const growingChats: readonly GrowingChat[] = [
  { name: 'questions and answers', messages: plain },
  { name: 'questions and answers with a system message', messages: withSystem(plain) },
  { name: 'questions and answers with tools', messages: withSystem(plain), tools: [tool] },
  { name: 'answers with reasoning', messages: thoughts },
  { name: 'answers with reasoning and a system message', messages: withSystem(thoughts) },
  { name: 'answers with reasoning, with thinking enabled', messages: thoughts, kwargs: thinks },
  { name: 'answers with inline reasoning', messages: withSystem(inline) },
  { name: 'tool calls', messages: calls, tools: [tool] },
  { name: 'tool calls with a system message', messages: withSystem(calls), tools: [tool] },
  { name: 'tool calls with text', messages: saidCalls, tools: [tool] },
  { name: 'tool calls with reasoning', messages: withSystem(thoughtCalls), tools: [tool] },
]
