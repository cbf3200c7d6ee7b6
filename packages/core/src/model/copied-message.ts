import { PromptError } from '../base/errors/prompt-error.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'

/** Nothing that templates write is nested deeper; a message that contains itself has no end. */
const deepest = 500

/** A message of its own: what the program changes later in the one that it gave does not change the session. */
export function copiedMessage(message: ChatMessage): ChatMessage {
  return copied(message, 0) as ChatMessage
}

/** Values of other classes (exact numbers, for example) do not change. */
function copied(value: unknown, depth: number): unknown {
  if (depth > deepest)
    throw new PromptError('wrong-value', {
      where: 'session › messages',
      problem: `a message is nested deeper than ${deepest} levels, or contains itself`,
      fix: 'give it as JSON would have it',
    })
  if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1))
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, copied(item, depth + 1)]))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item, depth + 1)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
