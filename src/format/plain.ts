import type { Quirks } from '../config/fidelity.ts'
import { type Conversation, type Item, isLoose, isTurn, type Turn } from '../conversation/conversation.ts'
import { control, type Piece, type PieceRange, textOf } from '../text/index.ts'
import { markedAnswer } from './answer.ts'
import type { Format } from './format.ts'

/**
 * No format: turns joined by newlines, each its own begin, words and end (documents 000, 001, 002). A turn that says
 * nothing adds nothing, but what follows still starts on a new line, as in the reference.
 */
export function plainFormat(quirks: Quirks): Format {
  return {
    name: 'plain text',
    kind: 'completion',
    traits: { looseText: 'verbatim', readsContent: true },
    markers: [],
    render(conversation, { want }) {
      const { pieces, answer } = writePlain(conversation, quirks)
      const at = { start: pieces.length, end: pieces.length }
      return {
        kind: 'completion',
        pieces,
        bos: 'tokenizer',
        stop: [],
        notes: conversation.notes,
        ...(want === 'generate' ? { answer: at } : answer ? { answer } : {}),
      }
    },
  }
}

type Written = { pieces: Piece[]; answer?: PieceRange; isCut?: true }

/**
 * The pieces of a conversation without a format, and what is the answer among them. Where the dataset's own turn may say
 * that the model speaks (a meta template without `round`), a generative prompt is cut there.
 */
export function writePlain(conversation: Conversation, quirks: Quirks, cuts = false): Written {
  if (conversation.kind === 'text') return { pieces: [...conversation.content], ...withAnswer(markedAnswer(conversation.content)) }
  const pieces: Piece[] = []
  let answer: PieceRange | undefined
  let turn = 0
  let started = false
  for (const { kind, items } of conversation.sections) {
    const speaks = kind === 'round' || kind === 'chat'
    const everyLine = kind === 'chat' && quirks.has('chat-empty-line')
    const cutAt = cuts && speaks ? items.findLastIndex((item) => isTurn(item) && item.override?.generate === true) : -1
    for (const [index, item] of items.entries()) {
      const isCut = index === cutAt
      const words = isCut ? ((item as Turn).override?.begin ?? []) : wordsOf(item, quirks)
      const number = isLoose(item) ? undefined : turn++
      if (!isEmpty(words) || everyLine) {
        if (started) pieces.push(control('\n', { by: 'format', path: 'plain' }))
        const start = pieces.length
        pieces.push(...words.map((piece) => (number === undefined ? piece : { ...piece, turn: number })))
        if (speaks && number !== undefined) answer = { start, end: pieces.length }
      } else if (speaks && number !== undefined) answer = { start: pieces.length, end: pieces.length }
      if (isCut) return { pieces, isCut }
      started = true
    }
  }
  return { pieces, ...withAnswer(markedAnswer(pieces) ?? answer) }
}

function withAnswer(answer: PieceRange | undefined): { answer?: PieceRange } {
  return answer ? { answer } : {}
}

function wordsOf(item: Item, quirks: Quirks): readonly Piece[] {
  if (isLoose(item)) return item.loose
  const content = item.content ?? []
  if (!item.override || quirks.has('turn-affixes-dropped')) return content
  return [...(item.override.begin ?? []), ...content, ...(item.override.end ?? [])]
}

function isEmpty(pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => 'text' in piece) && textOf(pieces) === ''
}
