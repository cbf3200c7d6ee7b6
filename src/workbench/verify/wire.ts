import type { Chat, ChatMessage, ChatToolCall } from '../../prompt/conversation/chat-message.ts'

/** A chat as OpenAI's API takes it: arguments of calls are JSON as text. */
export function asRequest({ messages, tools }: Chat): { messages: object[]; tools?: readonly object[] } {
  return { messages: messages.map(asWireMessage), ...(tools?.length ? { tools } : {}) }
}

function asWireMessage({ tool_calls: calls, ...message }: ChatMessage): object {
  return { ...message, ...(calls ? { tool_calls: calls.map(asWireCall) } : {}) }
}

function asWireCall(call: ChatToolCall): object {
  if (!('function' in call)) return call
  const { arguments: given } = call.function
  return { ...call, function: { ...call.function, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) } }
}
