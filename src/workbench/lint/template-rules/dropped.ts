import { assistant, call, calling, inWords, namedCall, type ProbeChat, result, system, thinking, tool, user } from '../chats.ts'
import type { Severity } from '../finding.ts'
import type { TemplateRule } from '../rule.ts'
import type { TemplateSubject } from '../template-subject.ts'

/** Something of a conversation that a template may leave out without a word. */
type Part = {
  id: string
  severity: Severity
  /** What is left out, as the subject of a sentence. */
  what: string
  why: string
  fix: string
  /** The word must be in what is written for one of these; a template that refuses them all says so itself. */
  chats: readonly ProbeChat[]
  word: string
  /** Where it is no loss: asked only where something is left out. */
  unless?(subject: TemplateSubject): boolean
  /** Where it is worth knowing at most. */
  isMinor?(subject: TemplateSubject): boolean
  /** By default a template that writes what user and assistant say, and nothing else. */
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

/** A template that knows nothing of tools is told once, for what begins it all. */
const knowsNoTools = (subject: TemplateSubject) => subject.shows(withTools(user()), 'qzTool') !== true
const hasOtherForTools = (subject: TemplateSubject) => subject.facts.hasToolTemplate === true

const parts: readonly Part[] = [
  {
    id: 'system-dropped',
    severity: 'warning',
    what: 'the system text',
    why: 'Instructions never reach the model, and no error tells it.',
    fix: 'write the system text, before the first words of the user if the model has no role for it, or raise_exception',
    chats: [{ messages: [system(), user()], isAsked: true }],
    word: 'qzSystem',
    good: loop('<|{{ m.role }}|>{{ m.content }}'),
  },
  {
    id: 'second-system-dropped',
    severity: 'warning',
    what: 'a second system text',
    why: 'Programs add instructions in the middle of a chat; those never reach the model.',
    fix: 'write every system turn, or raise_exception for the second',
    chats: [
      { messages: [system(), user(), assistant(), system('qzSecond'), user('qzAgain')], isAsked: true },
      { messages: [system(), system('qzSecond'), user()], isAsked: true },
    ],
    word: 'qzSecond',
    bad: onlyFirst,
    // One that never writes any is told by the rule about the first.
    unless: (subject) => subject.shows({ messages: [system(), user()], isAsked: true }, 'qzSystem') !== true,
    good: loop('<|{{ m.role }}|>{{ m.content }}'),
  },
  {
    id: 'user-dropped',
    severity: 'error',
    what: 'the first of two messages of the user',
    why: 'A part of the question is missing from the prompt.',
    fix: 'write both, or raise_exception where roles must alternate',
    chats: [{ messages: [user('qzFirst'), user('qzNext')], isAsked: true }],
    word: 'qzFirst',
    bad: dropsFirst,
    good: loop('<|{{ m.role }}|>{{ m.content }}'),
  },
  {
    id: 'tools-dropped',
    severity: 'warning',
    what: 'the description of tools',
    why: 'The model is offered tools and never learns of them.',
    fix: 'write `tools` where they are given, or raise_exception',
    chats: [withTools(user()), withTools(system(), user())],
    word: 'qzTool',
    unless: hasOtherForTools,
    good: loop('<|{{ m.role }}|>{{ m.content }}', '{% if tools %}{{ tools | tojson }}{% endif %}'),
  },
  {
    id: 'calls-dropped',
    severity: 'warning',
    what: 'a call of a tool by the assistant',
    why: 'In the next turn the model sees a result that it never asked for, or asks again.',
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
    what: 'the result of a tool',
    why: 'The model called a tool and never sees what came back.',
    fix: 'write messages of the role `tool`, or raise_exception',
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
    why: 'What the model thought is lost, also between its calls of tools in one turn. Templates that do not speak of thoughts are left alone.',
    fix: "write the message's `reasoning_content`, if the model thinks",
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
    // A model that does not think loses nothing.
    unless: (subject) => !/think|reasoning_content/i.test(subject.source),
    good: loop('<|{{ m.role }}|>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}'),
  },
  {
    id: 'name-dropped',
    severity: 'note',
    what: 'the name of a speaker (`name`)',
    why: 'In a chat of several people the model cannot tell who speaks.',
    fix: "write the message's `name`, if the model knows names",
    chats: [without({ ...user(), name: 'qzName' })],
    word: 'qzName',
    good: loop('<|{{ m.role }}|>{% if m.name %}{{ m.name }}: {% endif %}{{ m.content }}'),
  },
]

/** One rule for each part of a conversation that may get lost. */
export const dropped: readonly TemplateRule[] = parts.map(({ id, severity, what, why, fix, chats, word, unless, isMinor, bad, good }) => ({
  id,
  severity,
  finds: `${what.charAt(0).toUpperCase()}${what.slice(1)} is not in the prompt, and the template does not refuse it.`,
  why,
  fix,
  example: { bad: bad ?? bare, good },
  check(subject: TemplateSubject) {
    const written = chats.flatMap((chat) => (subject.write(chat) ? [chat] : []))
    const [first] = written
    if (first === undefined || !subject.isUsable || unless?.(subject)) return []
    // Parts that a template takes for the text are shown to it as parts; what it refuses it refuses aloud.
    if (written.some((chat) => isShown(subject, chat, word))) return []
    const minor = isMinor?.(subject) ? { severity: 'note' as const } : {}
    return [{ ...minor, problem: `${what} is left out without an error`, shown: { of: inWords(first), text: subject.write(first)!.text } }]
  },
}))

/** Whether a word is written; a list of parts that is printed as Python has it does not count. */
function isShown(subject: TemplateSubject, chat: ProbeChat, word: string): boolean {
  const text = subject.write(chat)?.text ?? ''
  return text.includes(word) && !text.includes("{'type': 'thinking'")
}
