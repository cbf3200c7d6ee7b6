import type { Note } from '../../base/errors/note.ts'
import type { PyValue } from '../../base/python/index.ts'
import type { Piece, PieceRange, Source } from '../../base/text/index.ts'
import type { Conversation, Tool } from '../conversation/conversation.ts'
import type { Ask } from './adapt/script.ts'
import type { Traits } from './adapt/traits.ts'
import type { EarlierThoughts } from './chat-template/earlier-thoughts.ts'
import type { PlainChat } from './plain-chat.ts'

export type { Ask }

/** Where generation ends: a token id, a token by its text, or text; each says who asked for it. */
export type Stop = ({ id: number } | { token: string } | { text: string }) & { source: Source }

/** A message for a chat server. */
export type ApiMessage = {
  role: string
  content: readonly Piece[]
  name?: string
  /** What else the message carries, handed on as it is: tool calls, reasoning, ids. */
  extra?: Readonly<Record<string, PyValue>>
  /** The content is sent as a list of parts, one for each piece. */
  asParts?: true
}

/** What this model is sent. */
export type Prompt = {
  stop: readonly Stop[]
  /**
   * What the model is to produce, or what a label adds: pieces of a completion, messages of a chat. In a generative
   * prompt it is empty and stands at the end, where generation starts.
   */
  answer?: PieceRange
  notes: readonly Note[]
} & (
  | {
      kind: 'completion'
      pieces: readonly Piece[]
      /** Who writes BOS: the prompt's own text, the tokenizer, or nobody. */
      bos: 'in-prompt' | 'tokenizer' | 'none'
    }
  | { kind: 'chat'; messages: readonly ApiMessage[]; tools?: readonly Tool[] }
)

export type WriteOptions = {
  tools?: readonly PyValue[] | null
  /** Whether the model is to speak next. */
  isAsked: boolean
  /** Variables of the template, besides those that are set. */
  kwargs?: Readonly<Record<string, PyValue>>
  /** Whether statements that only change a list are left out, which sandboxes refuse. */
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
 * A model's conversation format: what it can take, what marks its turns, and how it writes a conversation. `render` hands the
 * conversation and the traits to `adaptConversation`, which decides everything, and writes the script that comes back.
 */
export type Format = {
  name: string
  /** Whether it writes one text or messages. */
  kind: Prompt['kind']
  traits: Traits
  /** The texts that mark turns; look-alikes in data are worth a note. */
  markers: readonly string[]
  /** The source of its template, where it has one: marks in it tell what it speaks of. */
  template?: string
  /** The variables that its template reads, functions included, where it has one. */
  variables?: readonly string[]
  /** The tokens it needs, and the ids they must have; `checkTokens` looks them up in a tokenizer. */
  tokens?: readonly NeededToken[]
  render(conversation: Conversation, ask: Ask): Prompt
  /** What it does with the thoughts of earlier turns; undefined where it cannot be told. */
  readonly earlierThoughts?: EarlierThoughts | undefined
  /** What a template writes for messages just as they are: for probes, which ask what it does with them. */
  writeMessages?(messages: readonly PyValue[], more: WriteOptions): string
  /** The text of `render` alone, where that is cheaper; undefined where the prompt is not all text. */
  text?(conversation: Conversation, ask: Ask): string | undefined
  /** It writes each message by itself (`turnsAreLocal`), whatever stands in the middle of a long chat. */
  readonly isLocal?: boolean
  /** How it writes chats of roles and texts, where that is all that decides: they can then be written without making pieces. */
  plainChat?(ask: Ask): PlainChat | undefined
}
