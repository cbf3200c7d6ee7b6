import type { Note } from '../../base/errors/note.ts'
import { dictEntries, dictFromEntries, type PyDict } from '../../base/python/index.ts'
import type { ChatMessage } from './chat-message.ts'

/** Whose messages are trusted. It is passed beside the chat and never read from it, so that no file or request can set it. */
export type Trust = {
  /**
   * Messages that are read in full, `token_ids` included: the caller vouches that the model generated them. All, or those for which the
   * predicate is true; none by default.
   */
  trustsIds?: boolean | ((message: ChatMessage) => boolean)
}

/**
 * The fields that an untrusted message (from a row, a file or a request) may have: everything that formats and the chat templates of
 * published models read as text. Token ids are excluded, since they could forge turns.
 */
const messageFields: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'reasoning_content',
  'reasoning',
  'thinking',
  'thought',
  'tool_plan',
  'tool_responses',
  'tools',
  'functions',
  'documents',
  'citations',
  'metadata',
  'prefix',
  'partial',
  'weight',
  'refusal',
  'annotations',
  'audio',
])

/** The message with its untrusted fields only; the rest is dropped with a note. */
export function withKnownFields(message: PyDict, path: string, notes: Note[]): PyDict {
  const entries = dictEntries(message)
  const known = entries.filter(([key]) => messageFields.has(key))
  if (known.length === entries.length) return message
  const dropped = entries.filter(([key, value]) => !messageFields.has(key) && value !== null && value !== undefined).map(([key]) => key)
  if (dropped.length > 0)
    notes.push({ code: 'fields-dropped', where: path, text: `the message's ${listed(dropped)} ${verb(dropped)} left out: ${why(dropped)}` })
  return dictFromEntries(known)
}

const shownNames = 5
const shownLength = 40

/** Names are data too: at most a few of them, truncated. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map((name) => (name.length > shownLength ? `${name.slice(0, shownLength)}…` : name))
  const others = names.length - shown.length
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

function verb({ length }: readonly string[]): string {
  return length === 1 ? 'was' : 'were'
}

function why(names: readonly string[]): string {
  return names.includes('token_ids')
    ? 'token ids are taken from the model itself, never from a row, a file or a request'
    : 'messages from a row, a file or a request carry only the fields that formats read'
}
