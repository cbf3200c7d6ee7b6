import type { PyValue } from '../python/index.ts'

/** Part of a message's content: text or an image. */
export type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: string | { url: string } }

/** A tool call as OpenAI's messages carry it; the wrapper is optional, arguments may be JSON as text or an object. */
export type ChatToolCall =
  | { id?: string; type?: 'function'; function: { name: string; arguments?: PyValue } }
  | { name: string; arguments?: PyValue }

/** A chat message as users have it: OpenAI's shape, with what other servers and document 004 add. */
export type ChatMessage = {
  role: string
  content?: string | null | readonly ChatPart[]
  name?: string
  tool_calls?: readonly ChatToolCall[] | null
  tool_call_id?: string
  reasoning_content?: string | null
}

/** A conversation as chat servers take it. `tools` may be wrapped (`{ type: 'function', function: … }`) or bare. */
export type Chat = { messages: readonly ChatMessage[]; tools?: readonly object[] | null }
