import { assistant, call, calling, type ProbeChat, type ProbeMessage, result, system, thinking, tool, user } from './chats.ts'

/** Conversations that grow: a prompt is asked for before each answer and after the last message. */
export type GrowingChat = Omit<ProbeChat, 'isAsked'> & { name: string }

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
  { name: 'questions and answers with a system text', messages: withSystem(plain) },
  { name: 'questions and answers while tools are offered', messages: withSystem(plain), tools: [tool] },
  { name: 'answers with thoughts', messages: thoughts },
  { name: 'answers with thoughts and a system text', messages: withSystem(thoughts) },
  { name: 'answers with thoughts, with thinking switched on', messages: thoughts, kwargs: thinks },
  { name: 'answers with thoughts in their text', messages: withSystem(inline) },
  { name: 'calls of tools', messages: calls, tools: [tool] },
  { name: 'calls of tools with a system text', messages: withSystem(calls), tools: [tool] },
  { name: 'calls of tools beside words', messages: saidCalls, tools: [tool] },
  { name: 'calls of tools with thoughts', messages: withSystem(thoughtCalls), tools: [tool] },
]
