import type { PyValue } from '../../base/python/index.ts'

/** Part of a message's content: text or an image. */
export type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: string | { url: string } }

/**
 * A tool call as OpenAI's messages carry it; the wrapper is optional, arguments may be JSON as text or an object. A call of
 * the type `code_interpreter` runs code.
 */
export type ChatToolCall = (
  | { id?: string; type?: 'function'; function: { name: string; arguments?: PyValue } }
  | { id?: string; name: string; arguments?: PyValue }
  | { id?: string; type: 'code_interpreter'; code_interpreter: { input: string } }
) & {
  /** What the model wrote, to the letter, where writing the call anew would give something else. */
  raw?: string
  /** What it said after this call. */
  after?: string
}

/** A chat message as users have it: OpenAI's shape, with what other servers and document 004 add. */
export type ChatMessage = {
  /** `system`, `user`, `assistant`, `tool` or whatever the format knows; `developer` is the system where a format does not know it. */
  role: string
  content?: string | null | readonly ChatPart[]
  name?: string
  tool_calls?: readonly ChatToolCall[] | null
  tool_call_id?: string
  reasoning_content?: string | null
  /**
   * For an assistant's message: the ids that the model generated, without the token it stopped on. They go back as they are,
   * in place of content and calls, to a model of the same vocabulary, where the caller vouches for them (`trustsIds`); else
   * they are dropped with a note, and content and calls are used.
   */
  token_ids?: readonly number[]
  /** The text of `token_ids`, marks included: chat templates are shown it, and `token_ids` take its place where it comes out to the letter. */
  token_text?: string
}

/**
 * A conversation as chat servers take it. `tools` may be wrapped (`{ type: 'function', function: … }`) or bare;
 * `{ type: 'code_interpreter' }` among them lets the model run code.
 */
export type Chat = { messages: readonly ChatMessage[]; tools?: readonly object[] | null }
