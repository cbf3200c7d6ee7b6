import { stripEnd } from '@rolecall/core/internal/python'
import type { Piece } from '@rolecall/core/internal/text'
import type { asCompletion } from '../../../model/language-model/cannot-score.ts'

type CompletionPrompt = ReturnType<typeof asCompletion>

type Scored = { prompt: CompletionPrompt; isScored: (piece: number) => boolean }

/**
 * Selects the pieces of a prompt that are scored: the answer and, as in lm-evaluation-harness, the white space that ends the context, which
 * is split off for that. A context that is only white space remains context. An empty answer has no text.
 */
export function scoredText(prompt: CompletionPrompt): Scored {
  const { pieces, answer } = prompt
  const range = answer && answer.end > answer.start ? answer : undefined
  const marked = range ? range.start : pieces.findIndex((piece) => piece.answer)
  const first = marked < 0 ? pieces.length : marked
  let cut = first
  let context: Piece | undefined
  while (cut > 0 && context === undefined) {
    const piece = pieces[--cut]!
    context = 'text' in piece ? withText(piece, stripEnd(piece.text)) : piece
  }
  const isAnswer = (piece: number) => (range ? piece >= range.start && piece < range.end : pieces[piece]?.answer === true)
  if (context === undefined) return { prompt, isScored: isAnswer }
  const whole = pieces[cut]!
  if (context === whole || !('text' in whole && 'text' in context))
    return { prompt, isScored: (piece) => isAnswer(piece) || (piece > cut && piece < first) }
  const space = withText(whole, whole.text.slice(context.text.length))!
  const split = { ...prompt, pieces: [...pieces.slice(0, cut), context, space, ...pieces.slice(cut + 1)] }
  return {
    prompt: range ? { ...split, answer: { start: range.start + 1, end: range.end + 1 } } : split,
    isScored: (piece) => (piece > cut && piece <= first) || (piece > cut && isAnswer(piece - 1)),
  }
}

function withText<One extends Piece & { text: string }>(piece: One, text: string): One | undefined {
  if (text === '') return undefined
  return text === piece.text ? piece : { ...piece, text }
}
