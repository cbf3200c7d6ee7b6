import { modelTurns, ownText } from '@rolecall/core/internal/masks'
import { type GrowingChat, growingChats } from '../lint/growth.ts'
import type { ProbeChat, ProbeMessage } from '../lint/probe-chats.ts'
import type { TemplateSubject } from '../lint/template-subject.ts'
import type { ThinkingSwitch } from './mark-generation.ts'

type Range = readonly [start: number, end: number]

/** What the original writes for a chat: its text, and what the model would write of it. */
export type ProbedChat = {
  name: string
  chat: ProbeChat
  text: string
  spans: readonly Range[]
  /** Turns whose prompt the finished turn does not begin with: nothing is known about what the model writes there. */
  undecided: number
  /** What the generation prompts of its turns add to the history. */
  openings: readonly string[]
  /** What stands between the message in front of each turn and what the model writes. */
  leads: readonly string[]
  thinking: ThinkingSwitch
}

/** How a twin compares with its original. */
export type TwinProof = {
  /** Chats that the original writes. */
  chats: number
  sameText: number
  /** Chats in which every turn is decided, and those among them in which the twin marks exactly what the model writes. */
  decided: number
  sameMask: number
  differences: readonly { chat: string; what: 'text' | 'mask' | 'error'; original: string; twin: string }[]
}

/** Writes the probes with the original: every start of each chat that ends with the model, and the whole chat with a generation prompt. */
export function probeChats(subject: TemplateSubject): ProbedChat[] {
  const [plain, reasoned] = [growingChats[0], growingChats.find(({ kwargs }) => kwargs !== undefined)]
  const unthinking = [plain, reasoned].flatMap((chat): GrowingChat[] =>
    chat === undefined
      ? []
      : [{ ...chat, name: `${chat.name}, with thinking disabled`, kwargs: { enable_thinking: false, thinking: false } }],
  )
  return [...growingChats, ...unthinking].flatMap((chat) => probesOf(subject, chat))
}

function probesOf(subject: TemplateSubject, { name, messages, ...more }: GrowingChat): ProbedChat[] {
  const ends = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index + 1] : []))
  return [...ends.map((count) => ({ count, addGenerationPrompt: false })), { count: messages.length, addGenerationPrompt: true }].flatMap(
    ({ count, addGenerationPrompt }): ProbedChat[] => {
      const given = messages.slice(0, count)
      const chat = { ...more, messages: given, addGenerationPrompt }
      const whole = subject.write(chat)
      if (whole === undefined) return []
      const turns = modelTurns(given, traitsOf, subject.writer(more), whole, subject.end)
      const known = turns.flatMap((turn) => (turn.isKnown ? [turn] : []))
      return [
        {
          name: `${name}, ${count} messages${addGenerationPrompt ? ', with a generation prompt' : ''}`,
          chat,
          text: whole.text,
          spans: known.map(({ span }) => span).filter(([start, end]) => end > start),
          undecided: turns.length - known.length + turns.filter(({ isSilent }) => isSilent).length,
          thinking: more.kwargs === undefined ? 'unset' : more.kwargs.enable_thinking === true ? 'on' : 'off',
          openings: known.map(({ generationPrompt }) => generationPrompt),
          leads: known.map(({ message, span: [start] }) => whole.text.slice(ownText(whole, message - 1)?.end ?? start, start)),
        },
      ]
    },
  )
}

function traitsOf({ role, tool_calls: calls }: ProbeMessage): { role: string; hasCalls: boolean } {
  return { role, hasCalls: Array.isArray(calls) && calls.length > 0 }
}

/** Compares a twin with its original over the probes, character by character. */
export function proveTwin(probes: readonly ProbedChat[], twin: TemplateSubject): TwinProof {
  const differences: TwinProof['differences'][number][] = []
  const counts = { sameText: 0, decided: 0, sameMask: 0 }
  for (const { name, chat, text, spans, undecided } of probes) {
    const marked = twin.write(chat)
    if (marked === undefined) {
      differences.push({ chat: name, what: 'error', original: excerpt(text, 0), twin: twin.refusal(chat)?.problem ?? 'refused' })
      continue
    }
    const at = firstDifference(text, marked.text)
    if (at === undefined) counts.sameText++
    else differences.push({ chat: name, what: 'text', original: excerpt(text, at), twin: excerpt(marked.text, at) })
    if (undecided > 0) continue
    counts.decided++
    const ours = merged(spans)
    const theirs = merged(marked.generation.map(({ start, end }) => [start, end] as const))
    if (JSON.stringify(ours) === JSON.stringify(theirs)) counts.sameMask++
    else differences.push({ chat: name, what: 'mask', original: shown(text, ours), twin: shown(marked.text, theirs) })
  }
  return { chats: probes.length, ...counts, differences }
}

/** Ranges in order, joined where they touch; empty ones are left out. */
function merged(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = []
  for (const [start, end] of ranges.filter(([start, end]) => end > start).toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

function firstDifference(one: string, other: string): number | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at++
  return at
}

function excerpt(text: string, at: number): string {
  return text.slice(Math.max(0, at - 20), at + 40)
}

function shown(text: string, ranges: readonly Range[]): string {
  return ranges.map(([start, end]) => text.slice(start, end)).join(' … ')
}
