import type { ChatMessage } from '../conversation/chat-message.ts'

type PlainMessage = ChatMessage & { content: string }

/**
 * Whether a message is an object with a role and a text, and none of the fields that formats write or reject. Fields are read one by
 * one before the prototype, whose check is then free if messages have the same shape. Objects of other realms are rendered, with the
 * same result.
 */
export function isPlainMessage(message: ChatMessage): message is PlainMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    typeof message.content === 'string' &&
    message.name === undefined &&
    message.tool_calls === undefined &&
    message.tool_call_id === undefined &&
    message.reasoning_content === undefined &&
    message.token_ids === undefined &&
    Object.getPrototypeOf(message) === plainPrototype
  )
}

const plainPrototype = Object.prototype
