import type { Quirks } from '../../../base/fidelity/quirks.ts'
import type { TextPiece } from '../../../base/text/index.ts'
import type { Affix } from '../../conversation/conversation.ts'
import type { TemplateText } from '../../conversation/fill.ts'

/** What a format can take; `adaptConversation` brings a conversation into this shape or says what is missing. */
export type Traits = {
  /** What errors and notes call the format: `the meta template`. */
  formatName: string
  /** The roles it knows. Undefined: any role, since it does not write roles. */
  roles?: readonly string[]
  /** What roles are called in what it writes, where that is something else; several may be one there. */
  writesAs?: ReadonlyMap<string, string>
  /** Unknown roles of chat messages: an error by default; passed on unchanged, or written without a marker. */
  otherRoles?: 'as-given' | 'bare'
  /** The role of the user, who says text that has no role. */
  userRole?: string
  /** Text that no role says: written as it is, said by the user, left out (as the reference does), or refused. */
  looseText: 'verbatim' | 'as-user' | 'drop' | 'error'
  /** Whether turns may have names. */
  names?: boolean
  /** Whether it can describe tools to the model and write calls. */
  tools?: boolean
  /** Whether it can announce an interpreter to the model and write code that runs there; otherwise the interpreter is an ordinary tool. */
  interpreter?: boolean
  /** Whether calls in messages are an error. Else a format that has no place for them leaves them out, with a note. */
  refusesCalls?: boolean
  /** Whose words may come in parts, text and images; undefined: everybody's. */
  partsOf?: readonly string[]
  /** The other fields of a message that it writes; the rest get a note. Undefined: it passes all of them on. */
  fields?: readonly string[]
  /** Whether each turn of a chat is written independently of its neighbours. */
  turnsAlone?: boolean
  /**
   * What becomes of a system turn: it is a turn like any other (also where nothing is said here), it fills a slot before the
   * first turn, there is no place for it, or the format would reject or lose it.
   */
  system?: 'turn' | 'slot' | 'none' | LostSystem
  /** How roles alternate, which decides where the model speaks. Undefined: only where a turn of the dataset says so. */
  rounds?: Rounds
  /** Nothing is left to the model: it continues after everything that is said. */
  continues?: true
  /** Who answers a chat. */
  replyRole?: string
  /** What one role says twice in a row has to be one turn. */
  alternates?: Alternation
  /** What the dataset writes around a turn: replaces the format's own (also where nothing is said here), is part of the words, or is lost. */
  affixes?: 'around' | 'inside' | 'dropped'
  /** Turns of a dialogue that say nothing are left out, as the reference does. */
  dropsSilent?: boolean
  /** Whether it can write only what a running chat has not been sent yet. */
  lastRound?: boolean
  /** Whether what is written depends on what is said, so that nothing can be prepared. */
  readsContent: boolean
  /** Parts of what is said may be left out, so that every row has to be rendered. */
  rewritesContent?: boolean
  /** Which habits of the reference are reproduced; none by default. */
  quirks?: Quirks
}

/** A role in a round. */
export type Speaker = {
  name: string
  /** The model speaks for it. */
  generate: boolean
  /** What it says when the dataset gives nothing. */
  prompt?: TemplateText
  /** What is written around its words, for formats where that is part of them. */
  begin?: Affix
  end?: Affix
  path: string
}

export type Rounds = {
  /**
   * The order in which roles speak: a role that does not come after the one before it starts the next round. Text in it is
   * written by the format in every round.
   */
  order: readonly (Speaker | { text: readonly TextPiece[] })[]
  /** All roles, those that speak outside the rounds too; where their affixes are part of what they say. */
  speakers?: ReadonlyMap<string, Speaker>
  /** Every round is written whole: roles that the dataset does not mention say their own prompt, or nothing. */
  isWhole?: true
  /** What falls back to a role counts as a turn of that role in any case, as the reference has it for API models. */
  countsFallbacks?: boolean
}

export type Alternation = {
  /** Joins two turns that become one. */
  joint: { text: string; control: boolean }
  /** Only what these roles say is joined; undefined: any role. */
  roles?: readonly string[]
  /** Whether joining turns that the author did not join gets a note or is an error. */
  policy?: 'note' | 'error'
}

/** A system turn that would not reach the model: who rejects it, and whether it may be prepended to the user's text instead. */
export type LostSystem = { verb: 'rejects' | 'leaves out'; folds: boolean; where: string }

/** The order of a format in which the model answers whatever the others have said. */
export function answeredBy(model: string, others: readonly string[]): Rounds {
  return { order: [...others, model].map((name) => ({ name, generate: name === model, path: name })) }
}
