import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { Layout, Opening, Trim } from './format-layout.ts'

type Said = { role: string; text: string }

/** Renders a chat of plain texts in a layout; undefined if it is rejected. */
export function writeLayout(layout: Layout, messages: readonly ChatMessage[], want: 'generate' | 'complete'): string | undefined {
  const given = messages.map(({ role, content }): Said => ({ role, text: trimmed(String(content ?? ''), layout.trims[role]) }))
  const leading = layout.system?.place === 'start' ? Math.min(leadingSystems(given), layout.system.onlyFirst ? 1 : given.length) : 0
  const systems = given.slice(0, leading)
  if (systems.length > 1 && layout.system?.joint === undefined) return undefined
  const rest = given.slice(leading)
  if (rest.length === 0 && leading > 0 && !layout.system!.alone) return undefined
  if (rest.some(({ role }) => layout.turns[role] === undefined)) return undefined
  if (rest[0]?.role === 'assistant' && !layout.assistantFirst) return undefined
  const joined = join(rest, layout)
  if (joined === undefined) return undefined
  const said = withoutReasoning(joined, layout)
  if (layout.writes === 'last-words') return lastWords(said).join('')
  const opening = openingOf(
    layout,
    systems.map(({ text }) => text),
    rest[0]?.role,
  )
  const turns = said.map(({ role, text }, index) => {
    const { begin, end } = layout.turns[role]!
    return (index === 0 && !opening.withRole ? '' : begin) + text + (layout.ends ? layout.ends[index % layout.ends.length]! : end)
  })
  const reply = layout.noReplyAfterAnswer && rest.at(-1)?.role === 'assistant' ? '' : layout.reply
  return opening.text + turns.join('') + (want === 'generate' ? reply : layout.complete)
}

function leadingSystems(messages: readonly Said[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system')
  return first < 0 ? messages.length : first
}

/** The opening before the first turn. */
function openingOf({ system, absent, turns }: Layout, systems: readonly string[], first: string | undefined): Opening {
  if (system?.place === 'anywhere' && first === 'system') return { text: startOf(system.before, turns.system!.begin), withRole: true }
  if (system === undefined || systems.length === 0) return absent
  const text = systems.join(system.joint ?? '')
  if (text === '' && system.empty) return system.empty
  return { text: system.before + text + system.after, withRole: system.withRole }
}

/** The text before a system message that is a regular turn. */
export function startOf(before: string, begin: string): string {
  return before.endsWith(begin) ? before.slice(0, before.length - begin.length) : before
}

function join(messages: readonly Said[], { neighbours }: Layout): Said[] | undefined {
  const joined: Said[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role !== message.role || neighbours === 'separate' || !takesTurns(message.role)) joined.push(message)
    else if (neighbours === 'refused') return undefined
    else joined[joined.length - 1] = { role: last.role, text: last.text + neighbours.joint + message.text }
  }
  return joined
}

/** Whether the turns of a role may have to alternate. */
function takesTurns(role: string): boolean {
  return role === 'user' || role === 'assistant'
}

function lastWords(said: readonly Said[]): string[] {
  const last = said.findLastIndex(({ role }) => role === 'user')
  return said.slice(Math.max(last, 0)).map(({ text }) => text)
}

function withoutReasoning(said: readonly Said[], { stripsReasoning }: Layout): readonly Said[] {
  if (stripsReasoning === undefined) return said
  const lastUser = said.findLastIndex(({ role }) => role === 'user')
  return said.map((message, index) => {
    const at = message.text.lastIndexOf(endOfThought)
    if (message.role !== 'assistant' || index >= lastUser || at < 0) return message
    const answer = message.text.slice(at + endOfThought.length)
    return { ...message, text: stripsReasoning === 'newlines' ? answer.replace(/^\n+/, '') : answer.trim() }
  })
}

export const endOfThought = '</think>'

function trimmed(text: string, trim: Trim = 'none'): string {
  if (trim === 'both') return text.trim()
  if (trim === 'start') return text.trimStart()
  return trim === 'end' ? text.trimEnd() : text
}
