import type { ChatMessage } from '@rolecall/core'
import type { GenerateOptions } from 'rolecall/models'

/** A tool in OpenAI's shape. */
export type OfferedTool = {
  type: 'function'
  function: { name: string; description?: string | undefined; parameters?: unknown; strict?: boolean | undefined }
}

/** What a framework asks of a model. */
export type TurnRequest = {
  messages: readonly ChatMessage[]
  tools?: readonly OfferedTool[]
  /** Whether the reply has to be a call; `auto` by default. */
  toolChoice?: 'auto' | 'none' | 'required' | { name: string }
  /** The reply has to be JSON, of a schema if there is one. */
  json?: { schema?: unknown }
  /** Variables of the chat template. */
  variables?: Readonly<Record<string, unknown>>
  maxTokens?: number
  stopTexts?: readonly string[]
  sampling?: GenerateOptions['sampling']
  signal?: AbortSignal
}
