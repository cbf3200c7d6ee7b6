import { isList, type PyValue } from '@rolecall/core/internal/python'
import type { ReplySyntax } from '@rolecall/core/internal/reply'
import { readAnswer } from '@rolecall/core/internal/reply'
import type { RowAnswer } from './record/run-record.ts'

/**
 * Separates reasoning from the answer, so that it is not scored. Answers without reasoning stay unchanged, byte for byte.
 */
export function separateReasoning(answer: RowAnswer, syntax: ReplySyntax, opening: string): RowAnswer {
  const { prediction, reasoning: known } = answer
  const spans = syntax.reasoning ?? []
  const isOpen = spans.some(({ open, close }) => opening.lastIndexOf(open) > opening.lastIndexOf(close))
  const thinks = (one: PyValue) => typeof one === 'string' && spans.some(({ open, close }) => one.includes(open) || one.includes(close))
  if (!isOpen && known === undefined && !(isList(prediction) ? prediction.some(thinks) : thinks(prediction))) return answer
  const read = (text: PyValue, thought: PyValue | undefined) => {
    if (typeof text !== 'string') return { text, reasoning: '' }
    return readAnswer({ text, ...(typeof thought === 'string' ? { reasoning: thought } : {}) }, syntax, isOpen ? opening : '')
  }
  if (!isList(prediction)) {
    const { text, reasoning } = read(prediction, known)
    return { ...answer, prediction: text, reasoning }
  }
  const each = prediction.map((one, index) => read(one, isList(known) ? known[index] : undefined))
  return { ...answer, prediction: each.map(({ text }) => text), reasoning: each.map(({ reasoning }) => reasoning) }
}

/** The answer as OpenCompass scores it: reasoning that the server separated precedes the answer, with its end marker. */
export function rejoinReasoning(answer: RowAnswer): RowAnswer {
  const { prediction, reasoning } = answer
  if (reasoning === undefined) return answer
  const joined = (text: PyValue, thought: PyValue | undefined) =>
    typeof text === 'string' && typeof thought === 'string' && thought !== '' ? `${thought}</think>${text}` : text
  const whole = isList(prediction)
    ? prediction.map((one, index) => joined(one, isList(reasoning) ? reasoning[index] : undefined))
    : joined(prediction, reasoning)
  return { ...answer, prediction: whole, reasoning: undefined }
}
