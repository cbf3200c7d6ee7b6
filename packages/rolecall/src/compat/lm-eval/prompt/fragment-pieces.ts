import { plain, type TextPiece } from '@rolecall/core/internal/text'
import { variablesOf } from '../task/field.ts'
import type { Fragment } from './message.ts'

/** Examples occur in the prompts of many documents, and a question in the prompts of all its choices. */
const known = new WeakMap<Fragment, TextPiece[]>()

/** A fragment as pieces with provenance: the task's template, or a column of the document. */
export function fragmentPieces(fragment: Fragment, isAnswer = false): readonly TextPiece[] {
  if (isAnswer) return piecesOf(fragment, isAnswer)
  const before = known.get(fragment)
  if (before !== undefined) return before
  const pieces = piecesOf(fragment, isAnswer)
  known.set(fragment, pieces)
  return pieces
}

function piecesOf(fragment: Fragment, isAnswer: boolean): TextPiece[] {
  const { text, path, field, doc, example } = fragment
  if (text === '') return []
  const marks = { ...(example === undefined ? {} : { example }) }
  const answer = isAnswer ? { answer: true as const } : {}
  if (field?.kind === 'column') return [{ ...plain(text, { by: 'field', path: field.column, ...marks }), ...answer }]
  if (field?.kind !== 'template' || doc === undefined) return [{ ...plain(text, { by: 'template', path, ...marks }), ...answer }]
  const rendered = field.template.renderPieces(variablesOf(doc), (name) => ({ by: 'field', path: name }))
  if (rendered.text !== text) return [{ ...plain(text, { by: 'template', path, ...marks }), ...answer }]
  return rendered.pieces.map((piece) => ({
    text: piece.text,
    control: false,
    source: piece.source.by === 'field' ? { ...piece.source, ...marks } : { by: 'template', path, ...marks },
    ...answer,
  }))
}

export function piecesOfFragments(fragments: readonly Fragment[], isAnswer = false): TextPiece[] {
  const pieces: TextPiece[] = []
  for (const fragment of fragments) for (const piece of fragmentPieces(fragment, isAnswer)) pieces.push(piece)
  return pieces
}
