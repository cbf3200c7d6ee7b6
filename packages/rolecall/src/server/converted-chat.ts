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

/**
 * Neighbouring texts of a system message as one, a newline between them unless one of them brings it: templates that take parts join them with
 * nothing, others with a newline.
 */
export function joinedTexts(parts: readonly ChatPart[]): ChatPart[] {
  const joined: ChatPart[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (before?.type !== 'text' || part.type !== 'text') {
      joined.push(part)
      continue
    }
    if (part.text === '') continue
    const isSeparated = before.text === '' || before.text.endsWith('\n') || part.text.startsWith('\n')
    joined[joined.length - 1] = { ...before, text: before.text + (isSeparated ? '' : '\n') + part.text }
  }
  return joined
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

/** A tool with name and description at its top level as formats expect it; `heading` stands before its description. */
export function functionTool(
  tool: PyDict,
  parameters: PyValue | undefined,
  { name, heading = '' }: { name?: string; heading?: string } = {},
): PyDict {
  const entries = dictEntries(tool).flatMap(([key, value]): [string, PyValue][] => {
    if (key === 'name') return [[key, name ?? value]]
    return key === 'description' && value !== null ? [[key, typeof value === 'string' ? heading + value : value]] : []
  })
  if (name !== undefined && !entries.some(([key]) => key === 'name')) entries.unshift(['name', name])
  if (heading !== '' && !entries.some(([key]) => key === 'description')) entries.push(['description', heading.trimEnd()])
  if (parameters !== undefined) entries.push(['parameters', parameters])
  return { type: 'function', function: dictFromEntries(entries) }
}

/** The note for tools that only the protocol's vendor can run. */
export function hostedToolProblem(place: string, type: PyValue | undefined): string {
  return `${place}: tools of type "${String(type)}" cannot be run here; the model was not given this tool`
}
