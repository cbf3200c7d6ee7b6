import type { ChatMessage, ChatToolCall } from '../prompt/conversation/chat-message.ts'
import type { ParsedReply } from './plain-reply.ts'

/**
 * A reply as a message of the chat. A reply with code or a broken call stays text, since templates write only whole calls. Calls without an
 * id get one of nine letters and digits, which the strictest templates accept.
 */
export function sessionMessage(reply: ParsedReply, newId: () => string): ChatMessage {
  const { calls, reasoning, parts } = reply
  const isWhole = calls.every(({ kind }) => kind === 'call')
  const content = isWhole
    ? reply.text
    : parts.map((part) => ('text' in part && part.kind === 'text' ? part.text : 'raw' in part ? part.raw : '')).join('')
  const toolCalls = isWhole
    ? calls.flatMap((call): ChatToolCall[] => {
        if (call.kind !== 'call') return []
        return [{ id: call.id ?? newId(), type: 'function', function: { name: call.name, arguments: call.argumentsText } }]
      })
    : []
  const message: ChatMessage = { role: 'assistant', content }
  if (reasoning !== '') message.reasoning_content = reasoning
  if (toolCalls.length > 0) message.tool_calls = toolCalls
  return message
}
