import type { Quirks } from '../../../base/fidelity/quirks.ts'
import type { TextPiece } from '../../../base/text/index.ts'
import type { Affix } from '../../conversation/conversation.ts'
import type { TemplateText } from '../../conversation/fill.ts'

/** What a format supports; `adaptConversation` adapts a conversation to it or reports what is missing. */
export type Traits = {
  /** The name of the format in errors and notes: `the meta template`. */
  formatName: string
  /** The roles it knows. Undefined: any role, since it does not write roles. */
  roles?: readonly string[]
  /** The output names of roles, where they differ; several may share one. */
  writesAs?: ReadonlyMap<string, string>
  /** Unknown roles of chat messages: an error by default; passed on unchanged, or written without a marker. */
  otherRoles?: 'as-given' | 'bare'
  /** The user's role, which gets text without a role. */
  userRole?: string
  /** Text without a role: written verbatim, as the user, dropped (as in the reference), or refused. */
  looseText: 'verbatim' | 'as-user' | 'drop' | 'error'
  /** Whether turns may have names. */
  names?: boolean
  /** Whether it can describe tools to the model and write calls. */
  tools?: boolean
  /** Whether it can announce an interpreter to the model and write code that runs there; otherwise the interpreter is an ordinary tool. */
  interpreter?: boolean
  /** Whether calls in messages are an error. Otherwise a format that does not support them drops them, with a note. */
  refusesCalls?: boolean
  /** The roles whose content may have parts, text and images; undefined: all. */
  partsOf?: readonly string[]
  /** Parts of text are joined by a newline, with a note: it writes one text per turn. */
  joinsParts?: true
  /** The other fields of a message that it writes; the rest get a note. Undefined: it passes all of them on. */
  fields?: readonly string[]
  /** Whether each turn of a chat is written independently of its neighbours. */
  turnsAlone?: boolean
  /**
   * How a system turn is treated: as any other turn (the default), in a slot before the first turn, not supported, or rejected or lost by
   * the format.
   */
  system?: 'turn' | 'slot' | 'none' | LostSystem
  /** How roles alternate, which decides where the model speaks. Undefined: only where a turn of the dataset is marked. */
  rounds?: Rounds
  /** Nothing is omitted for the model: it continues after the whole text. */
  continues?: true
  /** The role that answers a chat. */
  replyRole?: string
  /** Consecutive turns of one role must be joined. */
  alternates?: Alternation
  /** The dataset's text around a turn: replaces the format's (the default), is part of the content, or is lost. */
  affixes?: 'around' | 'inside' | 'dropped'
  /** Drops empty turns of a dialogue, as the reference does. */
  dropsSilent?: boolean
  /** Whether it can write only the part that a running chat has not been sent yet. */
  lastRound?: boolean
  /** Whether the output depends on the text, so that nothing can be prepared. */
  readsContent: boolean
  /** Parts of the text may be dropped, so that every row must be rendered. */
  rewritesContent?: boolean
  /** Which quirks of the reference are reproduced; none by default. */
  quirks?: Quirks
}

/** A role in a round. */
export type Speaker = {
  name: string
  /** The model generates its text. */
  generate: boolean
  /** Its text if the dataset gives none. */
  prompt?: TemplateText
  /** The text around its content, for formats where that is part of the content. */
  begin?: Affix
  end?: Affix
  path: string
}

export type Rounds = {
  /**
   * The order in which roles speak: a role that does not come after the previous one starts the next round. The format writes text entries
   * in every round.
   */
  order: readonly (Speaker | { text: readonly TextPiece[] })[]
  /** All roles, including those outside the rounds, if their affixes are part of their content. */
  speakers?: ReadonlyMap<string, Speaker>
  /** Every round is written whole: roles that the dataset does not mention get their default prompt, or nothing. */
  isWhole?: true
  /** A turn always counts as a turn of its fallback role, as the reference does for API models. */
  countsFallbacks?: boolean
}

export type Alternation = {
  /** Joins two turns that become one. */
  joint: { text: string; control: boolean }
  /** Only these roles are joined; undefined: any role. */
  roles?: readonly string[]
  /** Whether joining turns that the author did not join gets a note or is an error. */
  policy?: 'note' | 'error'
}

/** A system turn that would not reach the model: who rejects it, and whether it may be prepended to the user's text instead. */
export type LostSystem = { verb: 'rejects' | 'leaves out'; folds: boolean; where: string }

/** The order of a format in which the model answers after any other roles. */
export function answeredBy(model: string, others: readonly string[]): Rounds {
  return { order: [...others, model].map((name) => ({ name, generate: name === model, path: name })) }
}
