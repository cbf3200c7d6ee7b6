/** A call in a reply or a chat. */
type SeenCall = { name: string; arguments: unknown }

/** The calls in a reply of `parseReply`, a result of an agent, or a result of the AI SDK, in order. */
export function callsOf(received: unknown): SeenCall[] {
  if (isObject(received)) {
    if (Array.isArray(received.messages)) return received.messages.flatMap(messageCalls)
    if (Array.isArray(received.steps)) return received.steps.flatMap((step) => sdkCalls((step as { toolCalls?: unknown }).toolCalls))
    if (Array.isArray(received.toolCalls)) return sdkCalls(received.toolCalls)
    if (Array.isArray(received.calls))
      return received.calls.flatMap((call) =>
        call.kind === 'call' ? [{ name: String(call.name), arguments: call.arguments as unknown }] : [],
      )
  }
  throw new TypeError('toCall: give a reply of parseReply, the result of an agent, or a result of the AI SDK')
}

function messageCalls(message: { tool_calls?: unknown }): SeenCall[] {
  if (!Array.isArray(message.tool_calls)) return []
  return message.tool_calls.flatMap((call: { name?: unknown; arguments?: unknown; function?: { name?: unknown; arguments?: unknown } }) => {
    const { name, arguments: given } = call.function ?? call
    return typeof name === 'string' ? [{ name, arguments: typeof given === 'string' ? parsed(given) : given }] : []
  })
}

function sdkCalls(calls: unknown): SeenCall[] {
  if (!Array.isArray(calls)) return []
  return calls.map(({ toolName, input }: { toolName?: unknown; input?: unknown }) => ({ name: String(toolName), arguments: input }))
}

/** Arguments of messages are JSON text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
