import type { Piece } from './piece.ts'

/** The author of a range, as readers see it: the terminal and the viewer have a colour for each. */
export type Origin = 'format' | 'template' | 'field' | 'example' | 'answer' | 'reply'

export const originMeaning: Record<Origin, string> = {
  format: "the model's format",
  template: "the dataset's template",
  field: 'the row',
  example: 'examples',
  answer: 'the answer',
  reply: 'a reply',
}

export function originOf(piece: Piece, isAnswer: boolean): Origin {
  if (isAnswer || piece.answer) return 'answer'
  const { by } = piece.source
  // What a format makes of a role's name is a marker, not content.
  if (by === 'format' || by === 'tokenizer' || (by === 'message' && 'control' in piece && piece.control)) return 'format'
  if (by === 'model') return 'reply'
  if (piece.source.example !== undefined) return 'example'
  return by === 'template' ? 'template' : 'field'
}

/** Whether a piece is control text that the format wrote, or token ids. */
export function isMarker(piece: Piece): boolean {
  return (
    'ids' in piece ||
    ('text' in piece && piece.control && (piece.source.by === 'format' || piece.source.by === 'tokenizer') && piece.text !== '')
  )
}
