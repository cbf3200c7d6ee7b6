import { growthOf } from '../training/append-only.ts'
import { modelTurn } from '../training/model-turns.ts'
import { commonLength } from '../training/written.ts'
import type { ProbeMessage } from './chats.ts'
import type { GrowingChat } from './growth-chats.ts'
import type { TemplateSubject, WrittenChat } from './template-subject.ts'

/** Where a prompt is not the one before it with something behind. */
export type Rewrite = {
  chat: GrowingChat
  /** How many messages the two prompts have. */
  from: number
  to: number
  /** What was sent, with the model's own turn where that is what changes. */
  shorter: WrittenChat
  longer: WrittenChat
  /** The first character that differs. */
  at: number
}

/** The first place at which a growing conversation is written anew, in its history or in the model's own turn. */
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

/** How many messages there are whenever the model is asked. */
function stepsOf(messages: readonly ProbeMessage[]): number[] {
  return [...messages.keys(), messages.length].filter((count) => count > 0 && (messages[count]?.role ?? 'assistant') === 'assistant')
}

function rewriteAt(subject: TemplateSubject, chat: GrowingChat, more: object, from: number, to: number): Rewrite | undefined {
  const { messages } = chat
  const at = (count: number, isAsked: boolean) => subject.write({ ...more, messages: messages.slice(0, count), isAsked })
  const [shorter, longer, history] = [at(from, true), at(to, true), at(from, false)]
  if (shorter === undefined || longer === undefined) return undefined
  const growth = growthOf(shorter.text, longer.text)
  // A difference in what only asks for the turn costs a few tokens; one before it, all that follows.
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
