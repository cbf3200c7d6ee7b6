import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { exactField } from '../exact-fields.ts'

/**
 * Messages whose text parts have a type and a text and nothing else. Some clients copy the whole message into its parts (role, reasoning,
 * calls) or mark them for a cache, and some chat templates write a part as it is.
 */
export function withPlainParts(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) => {
    const fields = message as PyValue
    const parts = exactField(fields, 'content')
    if (!isDict(fields) || !isList(parts)) return message
    const plain = parts.map(plainPart)
    if (plain.every((part, index) => part === parts[index])) return message
    const entries = dictEntries(fields).map(([key, value]) => [key, key === 'content' ? plain : value] as const)
    return dictFromEntries(entries) as unknown as ChatMessage
  })
}

/** Of text; media have settings that matter. */
const textFields: ReadonlySet<string> = new Set(['type', 'text', 'refusal', 'thinking'])
const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'refusal', 'thinking'])

function plainPart(part: PyValue): PyValue {
  if (!isDict(part) || !textTypes.has(exactField(part, 'type'))) return part
  const entries = dictEntries(part)
  const plain = entries.filter(([key]) => textFields.has(key))
  return plain.length === entries.length ? part : dictFromEntries(plain)
}
