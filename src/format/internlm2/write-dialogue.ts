import type { InternLM2Options } from '../../config/internlm2-options-schema.ts'
import { type Affix, isTurn, type Section, type Turn } from '../../conversation/conversation.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import type { Piece } from '../../text/index.ts'
import type { Ask } from '../format.ts'
import type { Dialogue } from './arrange-turns.ts'
import type { InternLM2Layout } from './layout.ts'
import { type FormatOrigin, turnParts } from './turn-parts.ts'

/** A turn in pieces: its head, what is said, its end. */
export type WrittenTurn = { begin: readonly Piece[]; said: readonly Piece[]; end: readonly Piece[]; isAnswer?: true }

type Written = {
  turns: WrittenTurn[]
  notes: Note[]
  /** How the dataset wants the turn to end that the model is to write. */
  end?: Affix
  /** Only what follows the last answer was asked for, and there is one. */
  isContinued?: true
}

/** Writes adapted conversations: every turn on its own, then the head of the turn that the model is to write. */
export function dialogueWriter(layout: InternLM2Layout, options: InternLM2Options, origin: FormatOrigin) {
  const parts = turnParts(layout, options, origin)
  return (conversation: Dialogue, { want }: Ask): Written => {
    const notes: Note[] = []
    const speaking = speakingSection(conversation.sections)
    const turns: (WrittenTurn & { role: string })[] = []
    const numbered = (pieces: readonly Piece[]) => {
      const turn = turns.length
      return pieces.length === 1 ? [inTurn(pieces[0]!, turn)] : pieces.map((piece) => inTurn(piece, turn))
    }
    const cutTurn = (turn: Turn): Written => {
      const begin = turn.override?.begin ?? parts.head(turn)
      const end = turn.override?.end
      return { ...close([...turns, { role: turn.role, begin: numbered(begin), said: [], end: [] }]), ...(end ? { end } : {}) }
    }
    const close = (all: readonly (WrittenTurn & { role: string })[]): Written => {
      const last = want === 'last-round' ? all.slice(0, -1).findLastIndex(({ role }) => role === 'assistant') : -1
      if (last < 0) return { turns: [...all], notes }
      // The model itself has written the end of its turn, but not the newline behind it.
      const newline: WrittenTurn = { begin: [], said: [], end: parts.restOfEnd().map((piece) => inTurn(piece, last)) }
      return { turns: [newline, ...all.slice(last + 1)], notes, isContinued: true }
    }
    const generates = want === 'generate' || want === 'last-round'
    for (const [number, section] of conversation.sections.entries()) {
      const items = section.items.filter(isTurn)
      const example = section.fields?.example
      const isLast = number === speaking
      const answering = isLast ? answeringTurn(items, section.kind) : -1
      for (const [index, turn] of items.entries()) {
        if (isLast && generates && section.kind === 'round' && index === answering) return cutTurn(turn)
        const begin = turn.override?.begin ? ofExample(turn.override.begin, example) : parts.head(turn, example)
        const end = turn.override?.end ? ofExample(turn.override.end, example) : parts.end(example)
        const isAnswer = isLast && !generates && index === (answering < 0 ? items.length - 1 : answering)
        const said = parts.say(turn, example, notes)
        const isOpen = want === 'continue' && isLast && index === items.length - 1
        if (isOpen && turn.role !== 'assistant') throw nothingToContinue(turn.path, `the last message is said by "${turn.role}"`)
        turns.push({
          role: turn.role,
          begin: numbered(begin),
          said: numbered(isAnswer && want === 'complete' ? asAnswer(said) : said),
          end: isOpen ? [] : numbered(end),
          ...(isAnswer ? { isAnswer } : {}),
        })
        if (isOpen) return { turns, notes }
      }
      if (isLast && generates) return cutTurn({ role: 'assistant', path: origin.path })
    }
    if (generates) return cutTurn({ role: 'assistant', path: origin.path })
    if (want === 'continue') throw nothingToContinue('messages', 'nothing is said')
    return { turns, notes }
  }
}

/** As `{ ...piece, turn }`, which is the hot path of rendering chats. */
function inTurn(piece: Piece, turn: number): Piece {
  if (!('text' in piece)) return { ...piece, turn }
  const { text, control, source, answer } = piece
  return answer ? { text, control, source, turn, answer } : { text, control, source, turn }
}

/** The section in which the model speaks: the last round, or the last messages. */
function speakingSection(sections: readonly Section[]): number {
  const round = sections.findLastIndex(({ kind }) => kind === 'round')
  return round >= 0 ? round : sections.findLastIndex(({ kind, inside }) => kind === 'chat' || inside === 'chat')
}

/** The turn that the model is to write; -1 where it is none of these, but the next. Of messages the last one is the answer. */
function answeringTurn(turns: readonly Turn[], kind: Section['kind']): number {
  if (kind !== 'round') return -1
  const last = turns.findLastIndex(({ role, override }) => override?.generate ?? role === 'assistant')
  return turns.slice(last + 1).some(({ role }) => role === 'user') ? -1 : last
}

/** What the model is to produce; a separator in it may have marked a part already. */
function asAnswer(said: readonly Piece[]): readonly Piece[] {
  return said.some((piece) => piece.answer) ? said : said.map((piece) => ({ ...piece, answer: true as const }))
}

/** What is written around an example belongs to that example. */
function ofExample(pieces: readonly Piece[], example: number | undefined): readonly Piece[] {
  return example === undefined ? pieces : pieces.map((piece) => ({ ...piece, source: { ...piece.source, example } }))
}

function nothingToContinue(where: string, problem: string): PromptError {
  return new PromptError('nothing-to-continue', {
    where,
    problem: `${problem}, so there is no answer to continue`,
    fix: "ask with want: 'generate', or end with an assistant message",
  })
}
