/** What a role's words stand between. */
export type Turn = { begin: string; end: string }

/** What stands before the first message, and whether that message's own `begin` follows. */
export type Opening = { text: string; withRole: boolean }

/** What of a message's words is cut off. */
export type Trim = 'none' | 'start' | 'end' | 'both'

/** How a system text is written. */
export type SystemLayout = {
  /** Only before everything else, or as a turn wherever it stands. */
  place: 'start' | 'anywhere'
  before: string
  after: string
  /** Whether the first message behind it has its own `begin`. */
  withRole: boolean
  /** What is written for an empty text, where that is something else. */
  empty?: Opening
  /** Nothing else has to be said. */
  alone: boolean
  /** What stands between several system texts at the start that become one; undefined: a second one is refused, or a turn. */
  joint?: string
  /** Only the first system text is written so: others are turns, and look different. */
  onlyFirst?: true
}

/** How tools are shown, where they are the JSON list of MLC: before or behind the text of the last user, or with the system text. */
export type ToolsLayout = { place: 'user-begin' | 'user-end' | 'opening'; before: string; after: string }

/**
 * A plain conversation format as data: which texts stand around messages, decided by their roles, their places and nothing else. Every
 * system that `convert` knows can write some layouts; what a format does beyond one is found by comparing prompts.
 */
export type Layout = {
  name: string
  /** Everything that is said, or only what the user said last and what follows. */
  writes: 'all' | 'last-words'
  /** user, assistant, and tool and system where they are turns like others. */
  turns: Readonly<Record<string, Turn>>
  /** What follows messages by their position rather than by their role; it repeats. */
  ends?: readonly string[]
  /** Before the first message where there is no system text; a system text of the format's own is part of it. */
  absent: Opening
  /** Undefined: a system text is refused. */
  system?: SystemLayout
  /** How the model's reply begins. */
  reply: string
  /** No reply is asked for where the assistant has spoken last. */
  noReplyAfterAnswer?: true
  /** What a complete conversation ends with. */
  complete: string
  /** What one role says twice in a row: two turns, one, or refused. */
  neighbours: 'separate' | 'refused' | { joint: string }
  /** The model may speak first. */
  assistantFirst: boolean
  trims: Readonly<Record<string, Trim>>
  /** Replies before the user's last words lose what stands before `</think>`, and newlines or all white space behind it. */
  stripsReasoning?: 'newlines' | 'spaces'
  calls: 'refused' | 'left-out' | 'written'
  tools: 'refused' | 'left-out' | 'written' | ToolsLayout
}

/** What a format needs and a template's text cannot say; whoever serves the model has to be told. */
export type Besides = {
  /** Token ids in front of every conversation. */
  prefixIds: readonly number[]
  /** Who writes BOS: the text itself, the tokenizer, or nobody. */
  bos: 'in-prompt' | 'tokenizer' | 'none'
  stopTexts: readonly string[]
  stopTokens: readonly string[]
  stopIds: readonly number[]
}
