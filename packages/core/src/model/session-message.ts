import type { ChatMessage, ChatToolCall } from '../prompt/conversation/chat-message.ts'
import type { CallInReply, ParsedReply } from './plain-reply.ts'

/** A reply whose calls have ids, if it can be written as a message with calls; one with code or a broken call stays as it is. */
export function withCallIds(reply: ParsedReply, newId: () => string): ParsedReply {
  if (!isWhole(reply)) return reply
  const named = new Map<unknown, CallInReply>()
  for (const call of reply.calls) named.set(call, call.kind === 'call' && call.id === undefined ? { ...call, id: newId() } : call)
  return {
    ...reply,
    calls: reply.calls.map((call) => named.get(call) ?? call),
    parts: reply.parts.map((part) => named.get(part) ?? part),
  }
}

/** A reply as a message of the chat. A reply with code or a broken call stays text, since templates write only whole calls. */
export function sessionMessage(reply: ParsedReply): ChatMessage {
  const { calls, reasoning, parts } = reply
  const content = isWhole(reply)
    ? reply.text
    : parts.map((part) => ('text' in part && part.kind === 'text' ? part.text : 'raw' in part ? part.raw : '')).join('')
  const toolCalls = isWhole(reply)
    ? calls.flatMap((call): ChatToolCall[] => {
        if (call.kind !== 'call') return []
        const id = call.id === undefined ? {} : { id: call.id }
        return [{ ...id, type: 'function', function: { name: call.name, arguments: call.argumentsText } }]
      })
    : []
  const message: ChatMessage = { role: 'assistant', content }
  if (reasoning !== '') message.reasoning_content = reasoning
  if (toolCalls.length > 0) message.tool_calls = toolCalls
  return message
}

/**
 * Makes ids for calls: nine letters and digits, which the strictest templates accept, and none that a call or a result of the chat has.
 */
export function freshCallIds(messages: readonly ChatMessage[], reply: ParsedReply): () => string {
  const taken = new Set<unknown>()
  for (const { tool_calls: calls, tool_call_id: answered } of messages) {
    taken.add(answered)
    for (const call of calls ?? []) taken.add(call.id)
  }
  for (const call of reply.calls) if (call.kind === 'call') taken.add(call.id)
  let count = 0
  return () => {
    let id: string
    do id = `call${String(++count).padStart(5, '0')}`
    while (taken.has(id))
    return id
  }
}

function isWhole({ calls }: ParsedReply): boolean {
  return calls.every(({ kind }) => kind === 'call')
}
