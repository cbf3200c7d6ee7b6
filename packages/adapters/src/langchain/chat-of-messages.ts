import type { BaseMessage } from '@langchain/core/messages'
import { type ChatMessage, type ChatPart, type ChatToolCall, PromptError } from '@rolecall/core'

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', system: 'system', developer: 'developer', tool: 'tool' }

/** LangChain's messages as ours. */
export function readMessages(messages: readonly BaseMessage[]): ChatMessage[] {
  return messages.map((message, index) => {
    const type = message.getType()
    const role = roles[type] ?? (message as { role?: string }).role
    if (role === undefined)
      throw new PromptError('unknown-role', {
        where: `messages[${index}]`,
        problem: `messages of the type "${type}" have no role`,
        fix: 'use human, ai, system and tool messages, or a ChatMessage with a role',
      })
    const read: ChatMessage = { role, content: contentOf(message, `messages[${index}].content`) }
    if (role === 'tool') read.tool_call_id = (message as { tool_call_id?: string }).tool_call_id
    if (message.name !== undefined) read.name = message.name
    const calls = callsIn(message)
    if (calls.length > 0) read.tool_calls = calls
    const reasoning = message.additional_kwargs.reasoning_content
    if (role === 'assistant' && typeof reasoning === 'string') read.reasoning_content = reasoning
    return read
  })
}

function contentOf({ content }: BaseMessage, where: string): string | ChatPart[] {
  if (typeof content === 'string') return content
  const parts = content.map((part, index): ChatPart => {
    if (part.type === 'text') return { type: 'text', text: part.text ?? '' }
    if (part.type === 'image_url' && part.image_url !== undefined) return { type: 'image_url', image_url: part.image_url }
    throw new PromptError('unsupported', {
      where: `${where}[${index}]`,
      problem: `content of the type "${part.type}" cannot be sent here`,
      fix: 'send text, or an image as image_url',
    })
  })
  return parts.every((part) => part.type === 'text') ? parts.map((part) => (part.type === 'text' ? part.text : '')).join('') : parts
}

function callsIn(message: BaseMessage): ChatToolCall[] {
  const { tool_calls: calls = [] } = message as { tool_calls?: { id?: string; name: string; args: unknown }[] }
  return calls.map(({ id, name, args }, index) => ({
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
}
