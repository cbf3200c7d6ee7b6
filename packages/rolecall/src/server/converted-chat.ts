import type { ChatMessage, ChatPart, ChatToolCall } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, type PyDict, type PyValue } from '@rolecall/core/internal/python'

// What Anthropic's messages and the Responses API share: both are converted into a chat and answered like one.

/** A message of the chat, and its path in the request. */
export type PlacedMessage = { message: ChatMessage; place: string }

/** The content of a message: a single text is a string, since formats may treat lists differently. */
export function contentOf(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}

/** The parts of an assistant message while they are collected. */
export type AssistantParts = { place: string; parts: ChatPart[]; thoughts: string; calls: ChatToolCall[] }

/** Text after a call is attached to that call. */
export function addAssistantPart({ parts, calls }: AssistantParts, part: ChatPart): void {
  const lastCall = calls.at(-1)
  if (lastCall === undefined || part.type !== 'text') parts.push(part)
  else lastCall.after = (lastCall.after ?? '') + part.text
}

export function assistantMessage({ place, parts, thoughts, calls }: AssistantParts): PlacedMessage {
  const message: ChatMessage = {
    role: 'assistant',
    content: parts.length === 0 && calls.length > 0 ? null : contentOf(parts),
    ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return { message, place }
}

/** A tool with name and description at its top level as formats expect it. */
export function functionTool(tool: PyDict, parameters: PyValue | undefined): PyDict {
  const described = dictEntries(tool).filter(([key, value]) => (key === 'name' || key === 'description') && value !== null)
  const entries = parameters === undefined ? described : [...described, ['parameters', parameters] as const]
  return { type: 'function', function: dictFromEntries(entries) }
}

/** The note for tools that only the protocol's vendor can run. */
export function hostedToolProblem(index: number, type: PyValue | undefined): string {
  return `tools[${index}]: tools of type "${String(type)}" cannot be run here; the model was not given this tool`
}
