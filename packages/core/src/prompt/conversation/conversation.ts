import type { Note } from '../../base/errors/note.ts'
import type { PyDict, PyValue } from '../../base/python/index.ts'
import type { IdsPiece, Piece, TextPiece } from '../../base/text/index.ts'
import type { Fields } from './row.ts'

/** The text before or after a turn: markers as text, token ids, or both. */
export type Affix = readonly (TextPiece | IdsPiece)[]

/** One turn: the speaker and the text. Undefined means not given, so the format's value applies. */
export type Turn = {
  role: string
  /** Who speaks instead when the format does not know `role`. */
  fallbackRole?: string
  name?: string
  content?: readonly Piece[]
  /** The model's reasoning before the text. */
  reasoning?: readonly Piece[]
  /** The calls of an assistant's turn, after its text. */
  calls?: readonly ToolCall[]
  /** For a tool's result: the id of the call it answers. */
  callId?: string
  /** The chat message of this turn as given: formats that read messages (Jinja) see all of it. */
  message?: PyDict
  /** Other fields of a row's message: tool calls, reasoning, ids. */
  extra?: Readonly<Record<string, PyValue>>
  /** Content that was given as a list of parts, and is passed on as one: the parts as given, filled. Pieces have the number of theirs. */
  parts?: readonly PyValue[]
  /** The dataset's settings for how this turn is written; they win over the format's. */
  override?: { begin?: Affix; end?: Affix; generate?: boolean }
  /** Without turn markers, the newline before the turn is there even before its text. */
  ownLine?: true
  /** The path of the turn, for errors and notes. */
  path: string
}

/** A call to a tool. */
export type ToolCall = {
  name: string
  /** As given: a dict, or a text that may or may not be JSON. */
  arguments: PyValue
  id?: string
  /** The call runs this code in an interpreter, rather than a named tool. */
  code?: string
  /** The exact text that the model wrote between the markers of the call. */
  raw?: string
  /** The text after this call. */
  after?: string
  /** Its path: `messages[2].tool_calls[0]`. */
  path: string
}

/** A tool that the model may call: its schema as given, without OpenAI's `{ type: 'function', function: … }` around it. */
export type Tool = { name: string; schema: PyDict; path: string }

/** Text without a role: instructions, separators between examples. */
export type LooseText = { loose: readonly TextPiece[]; path: string }

export type Item = Turn | LooseText

/** A part of a conversation: its beginning, an example, a round, its end, or chat messages. */
export type Section = {
  /** `chat` sections hold messages that are passed on one by one; the others follow the documents' begin/round/end. */
  kind: 'begin' | 'example' | 'round' | 'end' | 'chat'
  items: readonly Item[]
  /** The template has no round: the model speaks after everything else. */
  isAbsent?: true
  /** For examples: the part of the template that contains them. */
  inside?: 'begin' | 'round' | 'end' | 'chat'
  /** For examples: the place of the ice token. */
  placedAt?: string
  /** The row of this section, which fills a format's default prompts. */
  fields?: Fields
}

/** The conversation before any format. A string template is all text and has no turns. */
export type Conversation = { notes: readonly Note[] } & (
  | { kind: 'text'; content: readonly TextPiece[] }
  | {
      kind: 'dialogue'
      sections: readonly Section[]
      tools?: readonly Tool[]
      /** The model may run code; the path of the setting. */
      interpreter?: { path: string }
    }
)

export function isLoose(item: Item): item is LooseText {
  return (item as LooseText).loose !== undefined
}

export function isTurn(item: Item): item is Turn {
  return !isLoose(item)
}

/** Whether a conversation is a chat: messages that are passed on one by one, including those of examples. */
export function isMessages(conversation: Conversation): conversation is Conversation & { kind: 'dialogue' } {
  const chats = (section: Section) => section.kind === 'chat' || section.inside === 'chat'
  return conversation.kind === 'dialogue' && conversation.sections.length > 0 && conversation.sections.every(chats)
}
