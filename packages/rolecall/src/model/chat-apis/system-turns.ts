import type { Note } from '@rolecall/core/internal/errors'
import type { ApiMessage } from '@rolecall/core/internal/format'

/** A message in one of the roles that these APIs have, with its place among all. */
export type SentTurn = { message: ApiMessage; role: 'user' | 'assistant' | 'tool'; where: string }

/** A chat whose system turns before the first other one are separate. */
export type SplitChat = { system: readonly ApiMessage[]; turns: readonly SentTurn[]; notes: readonly Note[] }

/** These APIs take a system prompt beside the messages. A later system turn is said by the user, with a note; other roles are the user's, too. */
export function splitChat(messages: readonly ApiMessage[], api: string): SplitChat {
  const isSystem = ({ role }: ApiMessage) => role === 'system' || role === 'developer'
  const first = messages.findIndex((message) => !isSystem(message))
  const start = first < 0 ? messages.length : first
  const notes: Note[] = []
  const system = messages.slice(0, start)
  if (system.some(({ role }) => role === 'developer'))
    notes.push({ code: 'developer-as-system', text: `${api} has no developer role: its text is the system prompt` })
  const turns = messages.slice(start).map((message, index): SentTurn => {
    const where = `messages[${start + index}]`
    const { role } = message
    if (role === 'assistant' || role === 'model') return { message, role: 'assistant', where }
    if (role === 'tool' || role === 'function') return { message, role: 'tool', where }
    if (isSystem(message))
      notes.push({
        code: 'system-folded',
        where,
        text: `${api} takes a system prompt only before the first message: this one is said by the user`,
      })
    else if (role !== 'user') notes.push({ code: 'role-folded', where, text: `${api} has no role "${role}": its text is said by the user` })
    return { message, role: 'user', where }
  })
  for (const { message, where } of turns) {
    const thoughts = message.extra?.reasoning_content ?? message.extra?.reasoning
    if (typeof thoughts === 'string' && thoughts !== '' && message.extra?.tool_calls === undefined)
      notes.push({ code: 'thoughts-left-out', where, text: `${api} takes back only reasoning that it has signed: this one is not sent` })
    if (message.name !== undefined && message.role !== 'tool' && message.role !== 'function')
      notes.push({ code: 'name-left-out', where, text: `${api} has no names of speakers: "${message.name.slice(0, 60)}" is not sent` })
  }
  return { system, turns, notes }
}
