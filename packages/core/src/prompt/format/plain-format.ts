import type { Quirks } from '../../base/fidelity/quirks.ts'
import { control, type Piece, type PieceRange, textOf } from '../../base/text/index.ts'
import { adaptConversation } from './adapt/adapt-conversation.ts'
import type { Script } from './adapt/script.ts'
import type { Traits } from './adapt/traits.ts'
import { markedAnswer } from './answer.ts'
import type { Format } from './format.ts'

/**
 * No format: turns joined by newlines, each with its begin, text and end (documents 000, 001, 002). An empty turn adds nothing, but the
 * next text still starts on a new line, as in the reference.
 */
export function plainFormat(quirks: Quirks): Format {
  const traits: Traits = { ...plainTraits(quirks), formatName: 'plain text', continues: true }
  return {
    name: 'plain text',
    kind: 'completion',
    traits,
    markers: [],
    render(conversation, ask) {
      const script = adaptConversation(conversation, ask, traits)
      const { pieces, answer } = writePlain(script, quirks)
      const at = { start: pieces.length, end: pieces.length }
      return {
        kind: 'completion',
        pieces,
        bos: 'tokenizer',
        stop: [],
        notes: script.notes,
        ...(ask.want !== 'complete' ? { answer: at } : answer ? { answer } : {}),
      }
    },
  }
}

/** What can be written without a format: all text. */
export function plainTraits(quirks: Quirks): Omit<Traits, 'formatName'> {
  const affixes = quirks.has('turn-affixes-dropped') ? 'dropped' : 'inside'
  return { looseText: 'verbatim', affixes, fields: [], joinsParts: true, readsContent: true, quirks }
}

/** The pieces of a conversation without a format, and its answer. */
export function writePlain(script: Script, quirks: Quirks): { pieces: Piece[]; answer?: PieceRange } {
  if (script.kind === 'text') return { pieces: [...script.content], ...withAnswer(markedAnswer(script.content)) }
  const everyLine = script.isChat && quirks.has('chat-empty-line')
  const pieces: Piece[] = []
  let answer: PieceRange | undefined
  let turn = 0
  let started = false
  const write = (words: readonly Piece[], number: number | undefined) => {
    if (!isEmpty(words) || everyLine) {
      if (started) pieces.push(control('\n', { by: 'format', path: 'plain' }))
      for (const piece of words) pieces.push(number === undefined ? piece : { ...piece, turn: number })
    }
    started = true
  }
  for (const line of script.lines) {
    if ('loose' in line) write(line.loose, undefined)
    else {
      const { content = [] } = line
      write(content, turn++)
      if (line.answer) answer = { start: pieces.length - (isEmpty(content) ? 0 : content.length), end: pieces.length }
    }
  }
  if (script.next) write(script.next.begin ?? [], turn)
  const last = script.lines.at(-1)
  // The model's turn begins as the answers of examples do.
  if (last && 'role' in last && last.ownLine && isEmpty(last.content ?? [])) pieces.push(control('\n', { by: 'format', path: 'plain' }))
  return { pieces, ...withAnswer(markedAnswer(pieces) ?? answer) }
}

function withAnswer(answer: PieceRange | undefined): { answer?: PieceRange } {
  return answer ? { answer } : {}
}

function isEmpty(pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => 'text' in piece) && textOf(pieces) === ''
}
