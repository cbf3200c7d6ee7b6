import type { Doc, Field } from '../task/field.ts'

/** A stretch of a prompt, and what wrote it: a field of the task for a document, or a text of the task itself. */
export type Fragment = {
  text: string
  /** The key of the task that says it. */
  path: string
  field?: Field | undefined
  doc?: Doc
  /** Its number, from 0, where it belongs to an example. */
  example?: number
}

/** A message, and what stands behind it where messages are joined to one text. */
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

/** Messages as one stretch, with their delimiters. */
export function joined(messages: readonly TaskMessage[]): Fragment[] {
  const fragments: Fragment[] = []
  for (const { content, delimiter } of messages) {
    for (const fragment of content) fragments.push(fragment)
    if (delimiter !== undefined && delimiter.text !== '') fragments.push(delimiter)
  }
  return fragments
}

/** Examples and question as one message of the user; what the system says, and a start of the answer, stay apart. */
export function asSingleTurn(messages: readonly TaskMessage[]): TaskMessage[] {
  const system = messages[0]?.role === 'system' ? messages.slice(0, 1) : []
  const rest = messages.slice(system.length)
  const answer = rest.at(-1)?.role === 'assistant' ? rest.slice(-1) : []
  const user = rest.slice(0, rest.length - answer.length)
  const last = user.at(-1)
  const content = joined(last === undefined ? [] : [...user.slice(0, -1), { ...last, delimiter: undefined }])
  return [...system, { role: 'user', content }, ...answer]
}
