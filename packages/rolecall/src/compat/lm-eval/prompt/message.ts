import type { Doc, Field } from '../task/field.ts'

/** A fragment of a prompt, and its source: a field of the task for a document, or a literal text of the task. */
export type Fragment = {
  text: string
  /** The key of the task that defines it. */
  path: string
  field?: Field | undefined
  doc?: Doc
  /** The index of its example, from 0, if it belongs to one. */
  example?: number
}

/** A message, and the delimiter after it when messages are joined to one text. */
export type TaskMessage = { role: 'system' | 'user' | 'assistant'; content: readonly Fragment[]; delimiter?: Fragment | undefined }

export function textOfFragments(fragments: readonly Fragment[]): string {
  let text = ''
  for (const fragment of fragments) text += fragment.text
  return text
}

/** Messages as one text. */
export function textOfMessages(messages: readonly TaskMessage[]): string {
  let text = ''
  for (const { content, delimiter } of messages) {
    for (const fragment of content) text += fragment.text
    if (delimiter !== undefined) text += delimiter.text
  }
  return text
}

/** Messages as one list of fragments, with their delimiters. */
export function joined(messages: readonly TaskMessage[]): Fragment[] {
  const fragments: Fragment[] = []
  for (const { content, delimiter } of messages) {
    for (const fragment of content) fragments.push(fragment)
    if (delimiter !== undefined && delimiter.text !== '') fragments.push(delimiter)
  }
  return fragments
}

/** Merges examples and question into one user message; the system message and a start of the answer stay separate. */
export function asSingleTurn(messages: readonly TaskMessage[]): TaskMessage[] {
  const system = messages[0]?.role === 'system' ? messages.slice(0, 1) : []
  const rest = messages.slice(system.length)
  const answer = rest.at(-1)?.role === 'assistant' ? rest.slice(-1) : []
  const user = rest.slice(0, rest.length - answer.length)
  const last = user.at(-1)
  const content = joined(last === undefined ? [] : [...user.slice(0, -1), { ...last, delimiter: undefined }])
  return [...system, { role: 'user', content }, ...answer]
}
