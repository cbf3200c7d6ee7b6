import type { Severity } from '../finding.ts'
import { assistant, call, calling, describeChat, namedCall, type ProbeChat, result, system, thinking, tool, user } from '../probe-chats.ts'
import type { TemplateRule } from '../rule.ts'
import type { TemplateSubject } from '../template-subject.ts'

/** A part of a conversation that a template may silently drop. */
type Part = {
  id: string
  severity: Severity
  /** What is dropped, as the subject of a sentence. */
  what: string
  why: string
  fix: string
  /** The word must appear in one of these prompts; a template that rejects all of them is not silent. */
  chats: readonly ProbeChat[]
  word: string
  /** Exceptions; evaluated only if the word is missing. */
  unless?(subject: TemplateSubject): boolean
  /** Lowers the severity to a note. */
  isMinor?(subject: TemplateSubject): boolean
  /** By default a template that writes only user and assistant messages. */
  bad?: string
  good: string
}

const loop = (body: string, before = '') => `${before}{% for m in messages %}${body}{% endfor %}`
const bare = loop("{% if m.role in ['user', 'assistant'] %}<|{{ m.role }}|>{{ m.content }}{% endif %}")

const dropsFirst =
  "{% for m in messages %}{% if m.role != 'user' or loop.nextitem is not defined %}<|{{ m.role }}|>{{ m.content }}{% endif %}{% endfor %}"
const onlyFirst = "{% for m in messages %}{% if m.role != 'system' or loop.first %}<|{{ m.role }}|>{{ m.content }}{% endif %}{% endfor %}"

const withTools = (...messages: ProbeChat['messages']): ProbeChat => ({ messages, tools: [tool] })
const without = (...messages: ProbeChat['messages']): ProbeChat => ({ messages })

/** A template without tool support gets one full finding, for the tools themselves. */
const knowsNoTools = (subject: TemplateSubject) => subject.shows(withTools(user()), 'qzTool') !== true
const hasOtherForTools = (subject: TemplateSubject) => subject.facts.hasToolTemplate === true

const parts: readonly Part[] = [
  {
    id: 'system-dropped',
    severity: 'warning',
    what: 'the system message',
    why: 'Instructions silently never reach the model.',
    fix: 'write the system message (before the first user message if the model has no system role), or raise_exception',
    chats: [{ messages: [system(), user()], addGenerationPrompt: true }],
    word: 'qzSystem',
    good: loop('<|{{ m.role }}|>{{ m.content }}'),
  },
  {
    id: 'second-system-dropped',
    severity: 'warning',
    what: 'a second system message',
    why: 'Applications add instructions in the middle of a chat; those never reach the model.',
    fix: 'write every system turn, or raise_exception for the second',
    chats: [
      { messages: [system(), user(), assistant(), system('qzSecond'), user('qzAgain')], addGenerationPrompt: true },
      { messages: [system(), system('qzSecond'), user()], addGenerationPrompt: true },
    ],
    word: 'qzSecond',
    bad: onlyFirst,
    // Templates that drop all system messages are covered by `system-dropped`.
    unless: (subject) => subject.shows({ messages: [system(), user()], addGenerationPrompt: true }, 'qzSystem') !== true,
    good: loop('<|{{ m.role }}|>{{ m.content }}'),
  },
  {
    id: 'user-dropped',
    severity: 'error',
    what: 'the first of two consecutive user messages',
    why: 'Part of the question is missing from the prompt.',
    fix: 'write both, or raise_exception if roles must alternate',
    chats: [{ messages: [user('qzFirst'), user('qzNext')], addGenerationPrompt: true }],
    word: 'qzFirst',
    bad: dropsFirst,
    good: loop('<|{{ m.role }}|>{{ m.content }}'),
  },
  {
    id: 'tools-dropped',
    severity: 'warning',
    what: 'the list of tools',
    why: 'The model never learns about the tools it is given.',
    fix: 'write `tools` if they are given, or raise_exception',
    chats: [withTools(user()), withTools(system(), user())],
    word: 'qzTool',
    unless: hasOtherForTools,
    good: loop('<|{{ m.role }}|>{{ m.content }}', '{% if tools %}{{ tools | tojson }}{% endif %}'),
  },
  {
    id: 'calls-dropped',
    severity: 'warning',
    what: "the assistant's tool call",
    why: 'In the next turn the model sees a result it never requested, or calls the tool again.',
    fix: "write the message's `tool_calls`, or raise_exception",
    chats: [withTools(user(), calling(), result()), without(user(), calling(), result()), withTools(user(), calling())],
    word: 'qzValue',
    unless: hasOtherForTools,
    isMinor: knowsNoTools,
    good: loop('<|{{ m.role }}|>{{ m.content }}{% if m.tool_calls %}{{ m.tool_calls | tojson }}{% endif %}'),
  },
  {
    id: 'results-dropped',
    severity: 'warning',
    what: 'the tool result',
    why: 'The model called a tool and never sees the result.',
    fix: 'write messages with role `tool`, or raise_exception',
    chats: [withTools(user(), calling(), result()), without(user(), calling(), result())],
    word: 'qzResult',
    unless: hasOtherForTools,
    isMinor: knowsNoTools,
    good: loop('<|{{ m.role }}|>{{ m.content }}'),
  },
  {
    id: 'reasoning-dropped',
    severity: 'note',
    what: 'the reasoning of the last answer (`reasoning_content`)',
    why: 'Reasoning is lost, even between tool calls within a turn. Templates without any mention of reasoning are not reported.',
    fix: "write the message's `reasoning_content` if the model reasons",
    chats: [
      without(user(), thinking('qzAnswer', 'qzThought')),
      withTools(user(), thinking('', 'qzThought', { tool_calls: [call()] }), result()),
      withTools(user(), thinking('', 'qzThought', { tool_calls: [namedCall] }), { ...result(), tool_call_id: 'functions.qzTool:0' }),
      without(user(), thinking('qzAnswer', 'qzThought', { reasoning: 'qzThought', thinking: 'qzThought' })),
      without(user(), {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'qzThought' },
          { type: 'text', text: 'qzAnswer' },
        ],
      }),
      { messages: [user(), thinking('qzAnswer', 'qzThought')], kwargs: { enable_thinking: true, thinking: true } },
    ],
    word: 'qzThought',
    bad: loop("{% if m.role in ['user', 'assistant'] %}<|{{ m.role }}|>{{ m.content }}{% endif %}{# <think> is for the model #}"),
    // A model without reasoning loses nothing.
    unless: (subject) => !/think|reasoning_content/i.test(subject.source),
    good: loop('<|{{ m.role }}|>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}'),
  },
  {
    id: 'name-dropped',
    severity: 'note',
    what: 'the speaker name (`name`)',
    why: 'In a chat with several participants the model cannot tell who is speaking.',
    fix: "write the message's `name` if the model supports names",
    chats: [without({ ...user(), name: 'qzName' })],
    word: 'qzName',
    good: loop('<|{{ m.role }}|>{% if m.name %}{{ m.name }}: {% endif %}{{ m.content }}'),
  },
]

/** One rule per part of a conversation that may be dropped. */
export const dropped: readonly TemplateRule[] = parts.map(({ id, severity, what, why, fix, chats, word, unless, isMinor, bad, good }) => ({
  id,
  severity,
  finds: `${what.charAt(0).toUpperCase()}${what.slice(1)} is missing from the prompt, and the template does not raise an error.`,
  why,
  fix,
  example: { bad: bad ?? bare, good },
  check(subject: TemplateSubject) {
    const written = chats.flatMap((chat) => (subject.write(chat) ? [chat] : []))
    const [first] = written
    if (first === undefined || !subject.isUsable || unless?.(subject)) return []
    // Templates that take only lists of parts were given those; templates that raise an error are not silent.
    if (written.some((chat) => isShown(subject, chat, word))) return []
    const minor = isMinor?.(subject) ? { severity: 'note' as const } : {}
    return [{ ...minor, problem: `${what} is silently dropped`, shown: { of: describeChat(first), text: subject.write(first)!.text } }]
  },
}))

/** Whether a word is in the prompt; a list of parts printed as a Python literal does not count. */
function isShown(subject: TemplateSubject, chat: ProbeChat, word: string): boolean {
  const text = subject.write(chat)?.text ?? ''
  return text.includes(word) && !text.includes("{'type': 'thinking'")
}
