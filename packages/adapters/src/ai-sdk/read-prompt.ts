import type { ChatMessage, ChatPart, ChatToolCall } from '@rolecall/core'
import { PromptError } from '@rolecall/core'
import type { SdkMessage, SdkOutput, SdkPart } from './specification.ts'

/** The SDK's messages as ours. */
export function readPrompt(prompt: readonly SdkMessage[]): ChatMessage[] {
  return prompt.flatMap((message, index): ChatMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }]
    if (message.role === 'user') return [{ role: 'user', content: userContent(message.content, `prompt[${index}]`) }]
    return message.role === 'assistant'
      ? assistantMessages(message.content, `prompt[${index}]`)
      : results(message.content, `prompt[${index}]`)
  })
}

function userContent(parts: readonly SdkPart[], where: string): string | ChatPart[] {
  if (parts.every(isText)) return parts.map(({ text }) => text).join('')
  return parts.map((part, index) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    if (part.type === 'file' && part.mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: addressOf(part) } }
    throw unsupported(`${where}.content[${index}]`, part)
  })
}

function isText(part: SdkPart): part is Extract<SdkPart, { text: string }> {
  return part.type === 'text'
}

/** Images of the SDK may have no exact type. */
function addressOf({ data, mediaType }: Extract<SdkPart, { type: 'file' }>): string {
  if (data instanceof URL) return data.href
  const type = mediaType === 'image/*' ? 'image/png' : mediaType
  return `data:${type};base64,${typeof data === 'string' ? data : base64(data)}`
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += 0x8000) binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  return btoa(binary)
}

/** A turn of the model; results of tools that ran elsewhere follow it. */
function assistantMessages(parts: readonly SdkPart[], where: string): ChatMessage[] {
  const said: ChatMessage = { role: 'assistant', content: '' }
  const calls: ChatToolCall[] = []
  let reasoning = ''
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text') said.content = `${said.content as string}${part.text}`
    else if (part.type === 'reasoning') reasoning += part.text
    else if (part.type === 'tool-call')
      calls.push({ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: argumentsText(part.input) } })
    else if (part.type !== 'tool-result') throw unsupported(`${where}.content[${index}]`, part)
  }
  if (reasoning !== '') said.reasoning_content = reasoning
  if (calls.length > 0) said.tool_calls = calls
  return [
    said,
    ...results(
      parts.filter(({ type }) => type === 'tool-result'),
      where,
    ),
  ]
}

function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {})
}

function results(parts: readonly SdkPart[], where: string): ChatMessage[] {
  return parts.flatMap((part, index): ChatMessage[] => {
    // The SDK adds the result of a refused call itself.
    if (part.type === 'tool-approval-response') return []
    if (part.type !== 'tool-result') throw unsupported(`${where}.content[${index}]`, part)
    return [
      {
        role: 'tool',
        tool_call_id: part.toolCallId,
        name: part.toolName,
        content: resultContent(part.output, `${where}.content[${index}]`),
      },
    ]
  })
}

function resultContent(output: SdkOutput, where: string): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return output.reason ?? 'the user refused this call'
    default:
      return output.value
        .map((part, index) => {
          if (part.type === 'text') return part.text ?? ''
          throw unsupported(`${where}.output.value[${index}]`, part)
        })
        .join('')
  }
}

function unsupported(where: string, { type }: { type: string }): PromptError {
  return new PromptError('unsupported', {
    where,
    problem: `parts of the type "${type}" cannot be sent here`,
    fix: 'send text, or an image in a user message',
  })
}
