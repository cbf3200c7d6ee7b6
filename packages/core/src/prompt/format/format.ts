import type { Note } from '../../base/errors/note.ts'
import type { PyValue } from '../../base/python/index.ts'
import type { Piece, PieceRange, Source } from '../../base/text/index.ts'
import type { Conversation, Tool } from '../conversation/conversation.ts'
import type { Ask } from './adapt/script.ts'
import type { Traits } from './adapt/traits.ts'
import type { EarlierThoughts } from './chat-template/earlier-thoughts.ts'
import type { PlainChat } from './plain-chat.ts'
import type { TemplateRoles } from './roles/template-roles.ts'

export type { Ask }

/** Where generation ends: a token id, a token by its text, or text, each with its source. */
export type Stop = ({ id: number } | { token: string } | { text: string }) & { source: Source }

/** A message for a chat server. */
export type ApiMessage = {
  role: string
  content: readonly Piece[]
  name?: string
  /** The message's other fields, passed on unchanged: tool calls, reasoning, ids. */
  extra?: Readonly<Record<string, PyValue>>
  /** The content is sent as a list of parts: those that were given; pieces have the number of theirs. */
  parts?: readonly PyValue[]
}

/** The prompt for the model. */
export type Prompt = {
  stop: readonly Stop[]
  /**
   * The text that the model must produce, or that a label adds: pieces of a completion, messages of a chat. In a generation prompt it is
   * empty and at the end, where generation starts.
   */
  answer?: PieceRange
  notes: readonly Note[]
} & (
  | {
      kind: 'completion'
      pieces: readonly Piece[]
      /** Who writes BOS: the prompt's text, the tokenizer, or no one. */
      bos: 'in-prompt' | 'tokenizer' | 'none'
      /** Where the tokenizer writes nothing before the text, BOS or else EOS is put there: the first token needs a probability. */
      needsPrefix?: true
    }
  | { kind: 'chat'; messages: readonly ApiMessage[]; tools?: readonly Tool[] }
)

export type WriteOptions = {
  tools?: readonly PyValue[] | null
  /** Whether the model speaks next. */
  isAsked: boolean
  /** Additional variables of the template. */
  kwargs?: Readonly<Record<string, PyValue>>
  /** Whether to drop statements that only mutate a list, which sandboxes reject. */
  leavesOutChanges?: boolean
}

/** A token that a format writes. */
export type NeededToken = {
  token: string
  /** The id it must have; undefined: whatever the tokenizer says. */
  id?: number
  /** The id is that of a documented vocabulary of this many entries, and is checked only there. */
  vocabulary?: number
}

/**
 * A model's conversation format: what it supports, what marks its turns, and how it writes a conversation. `render` passes the
 * conversation and the traits to `adaptConversation`, which makes every decision, and writes the resulting script.
 */
export type Format = {
  name: string
  /** Whether it writes one text or messages. */
  kind: Prompt['kind']
  traits: Traits
  /** The texts that mark turns; look-alikes in data get a note. */
  markers: readonly string[]
  /** The source of its template, if it has one: markers in it show what it supports. */
  template?: string
  /** The variables and functions that its template reads, if it has one. */
  variables?: readonly string[]
  /** The tokens it needs, and the ids they must have; `checkTokens` looks them up in a tokenizer. */
  tokens?: readonly NeededToken[]
  render(conversation: Conversation, ask: Ask): Prompt
  /** What it does with the reasoning of earlier turns; undefined if unknown. */
  readonly earlierThoughts?: EarlierThoughts | undefined
  /** What a template writes for unmodified messages: for probes of its behaviour. */
  writeMessages?(messages: readonly PyValue[], more: WriteOptions): string
  /** The text of `render` alone, if that is cheaper; undefined if the prompt is not all text. */
  text?(conversation: Conversation, ask: Ask): string | undefined
  /** What its chat template does with each role at each place, for `roles`. */
  roles?(): TemplateRoles
  /** With `roles`: tools, calls and results are written as text, since the template does not write them. */
  readonly foldsTools?: boolean
  /** It writes each message independently of its neighbours (`turnsAreLocal`), also in the middle of a long chat. */
  readonly isLocal?: boolean
  /** How it writes chats of plain messages, if only roles and texts matter: they are then written without making pieces. */
  plainChat?(ask: Ask): PlainChat | undefined
}
