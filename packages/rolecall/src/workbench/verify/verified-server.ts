import type { Chat } from '@rolecall/core/internal/conversation'
import type { PartsEngine } from '@rolecall/core/internal/format'

/** A server's rendering of a chat: text, ids, or only the token count; or the error. */
export type ServerPrompt = { text?: string; ids?: readonly number[]; count?: number } | { refused: string }

/** Variables of a chat template that a request may set. */
export type Switches = Readonly<Record<string, boolean>>

/** A server that can show how it renders chats. */
export type VerifiedServer = {
  /** llama.cpp, vLLM, … */
  kind: string
  /** Whose rules it follows for contents that are lists of parts; by default those of the template. */
  engine?: PartsEngine
  /** Its version, if reported. */
  version?: string
  model?: string
  /** Its chat template, if reported. */
  template?: string
  specialTokens?: Readonly<Record<string, string>>
  /** The model's path on the server, if reported. */
  path?: string
  /** ServerRequests per chat. */
  requestsPerChat: number
  /** Renders a chat with a generation prompt. Nothing is generated. */
  show(chat: Chat, switches: Switches): Promise<ServerPrompt>
  /** The ids of a single text, with or without recognising control tokens. */
  encode?(text: string, recognises: boolean): Promise<readonly number[] | undefined>
  /** The ids of a chat's prompt as seen by the engine, which generates one token; undefined if not reported. */
  seen?(chat: Chat): Promise<readonly number[] | undefined>
  /** What cannot be compared, and why. */
  limits: readonly string[]
}
