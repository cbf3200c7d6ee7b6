/** The text around a role's message. */
export type TurnMarkers = { begin: string; end: string }

/** The text before the first message, and whether that message's `begin` follows. */
export type Opening = { text: string; withRole: boolean }

/** Which whitespace of a message is stripped. */
export type Trim = 'none' | 'start' | 'end' | 'both'

/** How a system message is written. */
export type SystemLayout = {
  /** Only at the start, or as a turn anywhere. */
  place: 'start' | 'anywhere'
  before: string
  after: string
  /** Whether the first message after it has its `begin`. */
  withRole: boolean
  /** The text for an empty system message, if different. */
  empty?: Opening
  /** No other message is required. */
  alone: boolean
  /** Joins several system messages at the start; undefined if a second one is rejected or a turn. */
  joint?: string
  /** Only the first system message is written like this; later ones are different turns. */
  onlyFirst?: true
}

/** The position of MLC's JSON list of tools: before or after the last user message, or with the system message. */
export type ToolsLayout = { place: 'user-begin' | 'user-end' | 'opening'; before: string; after: string }

/**
 * A plain conversation format as data: text around messages that depends only on role and position. Every target of `convert` can
 * express some layouts; what a format does beyond a layout is found by comparing prompts.
 */
export type Layout = {
  name: string
  /** All messages, or only from the last user message on. */
  writes: 'all' | 'last-words'
  /** user and assistant; tool and system if they are regular turns. */
  turns: Readonly<Record<string, TurnMarkers>>
  /** Message ends by position instead of role; the list repeats. */
  ends?: readonly string[]
  /** The opening without a system message; contains the format's default system text. */
  absent: Opening
  /** Undefined if a system message is rejected. */
  system?: SystemLayout
  /** The start of the model's reply. */
  reply: string
  /** No generation prompt after a final assistant message. */
  noReplyAfterAnswer?: true
  /** The end of a complete conversation. */
  complete: string
  /** Consecutive messages of one role: two turns, joined, or rejected. */
  neighbours: 'separate' | 'refused' | { joint: string }
  /** The model may speak first. */
  assistantFirst: boolean
  trims: Readonly<Record<string, Trim>>
  /** Replies before the last user message lose everything up to `</think>`, and the newlines or all whitespace after it. */
  stripsReasoning?: 'newlines' | 'spaces'
  calls: 'refused' | 'left-out' | 'written'
  tools: 'refused' | 'left-out' | 'written' | ToolsLayout
}

/** What a format needs beyond a template's text; the server must be configured with it. */
export type StopsAndPrefix = {
  /** Token ids before every conversation. */
  prefixIds: readonly number[]
  /** Who adds BOS: the text, the tokenizer, or neither. */
  bos: 'in-prompt' | 'tokenizer' | 'none'
  stopTexts: readonly string[]
  stopTokens: readonly string[]
  stopIds: readonly number[]
}
