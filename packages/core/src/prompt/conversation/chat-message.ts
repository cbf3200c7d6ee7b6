import type { PyValue } from '../../base/python/index.ts'

/** Part of a message's content in OpenAI's shape, with the types that vLLM, SGLang, llama.cpp and Hugging Face's templates add. */
export type ChatPart =
  | { type: 'text' | 'input_text' | 'output_text'; text: string }
  | { type: 'refusal'; refusal: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'image_url'; image_url: string | { url: string; detail?: string } }
  | { type: 'input_image'; image_url: string; detail?: string }
  | { type: 'input_audio'; input_audio: { data: string; format: string } }
  | { type: 'audio_url'; audio_url: { url: string } }
  | { type: 'video_url'; video_url: { url: string } }
  | { type: 'image' | 'audio' | 'video'; url?: string; path?: string; base64?: string; image?: string; audio?: string; video?: string }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } }

/**
 * A tool call as OpenAI's messages carry it; the wrapper is optional, arguments may be JSON as text or an object. A call of
 * the type `code_interpreter` runs code.
 */
export type ChatToolCall = (
  | { id?: string; type?: 'function'; function: { name: string; arguments?: PyValue } }
  | { id?: string; name: string; arguments?: PyValue }
  | { id?: string; type: 'code_interpreter'; code_interpreter: { input: string } }
) & {
  /** The model's exact text, if writing the call again would differ. */
  raw?: string
  /** The text after this call. */
  after?: string
}

/** A chat message in OpenAI's shape, with the additions of other servers and document 004. */
export type ChatMessage = {
  /** `system`, `user`, `assistant`, `tool` or any role of the format; `developer` becomes the system if the format does not know it. */
  role: string
  content?: string | null | readonly ChatPart[]
  name?: string
  tool_calls?: readonly ChatToolCall[] | null
  tool_call_id?: string
  reasoning_content?: string | null
  /**
   * For an assistant's message: the ids that the model generated, without the stop token. If the caller vouches for them (`trustsIds`),
   * they are sent back unchanged, in place of content and calls, to a model with the same vocabulary; otherwise they are dropped with a
   * note, and content and calls are used.
   */
  token_ids?: readonly number[]
  /** The text of `token_ids`, marks included: chat templates see it, and `token_ids` replace it if it comes out unchanged. */
  token_text?: string
}

/**
 * A conversation as chat servers accept it. `tools` may be wrapped (`{ type: 'function', function: … }`) or bare; `{ type:
 * 'code_interpreter' }` among them lets the model run code.
 */
export type Chat = { messages: readonly ChatMessage[]; tools?: readonly object[] | null }
