import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { type Prompt, promptText } from '@rolecall/core/internal/format'
import { commonLength } from '@rolecall/core/internal/masks'
import { type PyValue, pyEqual } from '@rolecall/core/internal/python'
import { exactField } from '../exact-fields.ts'

/** The latest request of a conversation. */
type Kept = {
  client: string
  messages: readonly PyValue[]
  tools: PyValue
  text: string
  /** Where the text before the reply begins: a difference in it costs a few tokens. */
  end: number
  /** The kinds of notes that the log has. */
  logged: Set<string>
}

/** A prompt that does not begin with the previous one of its conversation: a prefix cache is of no use from there on. */
export type Rewritten = {
  /** The characters of the previous prompt that are the same, and how many it had. */
  kept: number
  of: number
  before: string
  now: string
  /** What the client has changed; undefined if the format writes the same conversation differently. */
  changed?: { at: 'tools' } | { at: 'message'; index: number }
}

/** A chat as it was written for the model, with the tools that the model was given. */
type WrittenChat = { prompt: Prompt; opening: string; tools: readonly object[] }

/** What a request continues. */
export type FollowedSession = {
  rewritten: Rewritten | undefined
  /** Whether the log has no note of this kind for the conversation yet. */
  isNews(kind: string): boolean
}

/** Sizes that are kept for one model. */
const mostSessions = 16
const mostCharacters = 16_000_000
const excerpt = 40

/** Follows the conversations with a model from request to request, to say where the prompt of one is rewritten. */
export class Sessions {
  #kept: Kept[] = []

  follow(client: string, messages: readonly ChatMessage[], { prompt, opening, tools }: WrittenChat): FollowedSession {
    const chat = { messages: messages as readonly PyValue[], tools: tools as PyValue }
    const text = prompt.kind === 'chat' ? undefined : promptText(prompt)
    const before = closest(
      this.#kept.filter((kept) => kept.client === client && isContinued(kept.messages, chat.messages)),
      text,
    )
    const logged = before?.logged ?? new Set<string>()
    const isNews = (kind: string) => !logged.has(kind) && logged.add(kind).size > 0
    // Messages that are forwarded are written by another server.
    if (text === undefined) return { rewritten: undefined, isNews }
    const end = text.endsWith(opening) ? text.length - opening.length : text.length
    this.#keep({ client, ...chat, text, end, logged }, before)
    return { rewritten: before && rewrittenIn(before, chat, text), isNews }
  }

  #keep(latest: Kept, before: Kept | undefined): void {
    let left = mostCharacters
    this.#kept = [latest, ...this.#kept.filter((kept) => kept !== before)].slice(0, mostSessions).filter(({ text }) => {
      left -= text.length
      return left >= 0
    })
  }
}

/**
 * The latest request that has most of the text in common: an agent may begin two conversations with one message, for example to name it
 * without tools.
 */
function closest(continued: readonly Kept[], text: string | undefined): Kept | undefined {
  const [latest, ...others] = continued
  if (text === undefined || latest === undefined || others.length === 0) return latest
  const lengths = continued.map((kept) => commonLength(kept.text, text))
  return continued[lengths.indexOf(Math.max(...lengths))]
}

/** A few messages tell conversations apart: comparing all of them takes time. */
function isContinued(earlier: readonly PyValue[], messages: readonly PyValue[]): boolean {
  const last = earlier.length - 1
  if (last < 0 || earlier.length >= messages.length) return false
  const first = earlier.findIndex((message) => exactField(message, 'role') === 'user')
  return pyEqual(earlier[last] ?? null, messages[last] ?? null) && (first < 0 || pyEqual(earlier[first] ?? null, messages[first] ?? null))
}

function rewrittenIn(before: Kept, { messages, tools }: Pick<Kept, 'messages' | 'tools'>, text: string): Rewritten | undefined {
  const kept = commonLength(before.text, text)
  if (kept >= before.end) return undefined
  const rewritten = { kept, of: before.text.length, before: before.text.slice(kept, kept + excerpt), now: text.slice(kept, kept + excerpt) }
  if (!pyEqual(before.tools, tools)) return { ...rewritten, changed: { at: 'tools' } }
  const index = before.messages.findIndex((message, place) => !pyEqual(message, messages[place] ?? null))
  return index < 0 ? rewritten : { ...rewritten, changed: { at: 'message', index } }
}
