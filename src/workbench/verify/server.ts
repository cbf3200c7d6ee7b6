import type { Chat } from '../../prompt/conversation/chat-message.ts'

/** How a server writes a chat: its text, the ids, or only how many there are; or why it refuses it. */
export type Shown = { text?: string; ids?: readonly number[]; count?: number } | { refused: string }

/** Variables of a chat template that a request may set. */
export type Switches = Readonly<Record<string, boolean>>

/** A server that can be asked how it writes chats. */
export type VerifiedServer = {
  /** What it is: llama.cpp, vLLM, … */
  kind: string
  /** Its version, where it says so. */
  version?: string
  model?: string
  /** The chat template that it says it has. */
  template?: string
  specialTokens?: Readonly<Record<string, string>>
  /** Where the model's files are on the server's machine, if it says so. */
  path?: string
  /** How many requests it takes to ask for one chat. */
  requestsPerChat: number
  /** Asks for a chat that is to be answered. Nothing is generated. */
  show(chat: Chat, switches: Switches): Promise<Shown>
  /** The ids of a text that stands alone, with control tokens recognised in it or not. */
  encode?(text: string, recognises: boolean): Promise<readonly number[] | undefined>
  /** The ids of a chat's prompt as the engine has computed them, which takes one generated token; undefined where it does not tell. */
  seen?(chat: Chat): Promise<readonly number[] | undefined>
  /** What cannot be compared here, and why. */
  limits: readonly string[]
}
