/** A turn of a template's own history; without content it is a header without an answer. */
export type HistoryMessage = { role: string; text?: string }

/** The path of a template, for sources and errors: the template itself, and its changes in `conv_config`. */
type Written = { path: string; changes?: { path: string; keys: readonly string[] } }

/** A conversation template of document 003: separators go by position. */
export type OldConversation = {
  generation: 'old'
  name: string
  /** The system prompt: its text, and the markup that a named template keeps around it. */
  system: { before: string; text: string; after: string }
  roles: readonly [user: string, assistant: string]
  /** The number of its `messages` after `offset`, which are dropped. */
  leftOut?: number
  /** The history (`messages` up to `offset`); roles are written verbatim. */
  history: readonly HistoryMessage[]
  /** `chat` writes everything, the others only the last user text. */
  style: 'chat' | 'code-completion' | 'lm'
  seps: readonly string[]
  roleMessageSep: string
  roleEmptySep: string
  stopText: string
  stopIds: readonly number[]
  addBos: boolean
  prefixIds: readonly number[]
} & Written

/** A part of a history message's content, as given. */
export type HistoryPart = Readonly<Record<string, unknown>>

/** A conversation template of the present generation: separators go by role. */
export type NewConversation = {
  generation: 'new'
  name: string
  systemTemplate: string
  systemMessage: string
  prefixIds: readonly number[]
  addRoleAfterSystemMessage: boolean
  roles: Readonly<Record<string, string>>
  roleTemplates: Readonly<Record<string, string>>
  history: readonly { role: string; content: string | readonly HistoryPart[] | null }[]
  seps: readonly string[]
  roleContentSep: string
  roleEmptySep: string
  stopTexts: readonly string[]
  stopIds: readonly number[]
  stripReasoningInHistory: boolean
  functionString: string
  useFunctionCalling: boolean
} & Written

/** A conversation template of MLC, of the old or the new generation. */
export type MlcConversation = OldConversation | NewConversation

/** The path of a template's field. */
export function pathOf({ path, changes }: Written, key: string): string {
  return `${changes?.keys.includes(key) ? changes.path : path}.${key}`
}
