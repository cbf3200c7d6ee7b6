import type { Format, Prompt } from '../../prompt/format/format.ts'
import { growthOf } from './append-only.ts'
import { endOfFormat } from './format-writer.ts'

type Completion = Prompt & { kind: 'completion' }

/** Which characters of a prompt with its answer the model writes, or why that cannot be said. */
export type TrainedAnswer = { span: readonly [start: number, end: number] } | { why: string }

/**
 * What the model writes of a row's prompt: from where the prompt that asks for the answer ends, to and including the token that ends
 * its turn.
 */
export function trainedAnswer(asked: Prompt, complete: Prompt, format: Format): TrainedAnswer {
  if (asked.kind === 'chat' || complete.kind === 'chat') return { why: 'only the server knows how it writes messages' }
  const [prompt, whole] = [textOf(asked), textOf(complete)]
  const growth = growthOf(prompt, whole)
  if (!growth.isAppended)
    return {
      why: `the prompt ends in ${JSON.stringify(growth.shorter)} where the prompt with its answer has ${JSON.stringify(growth.longer)}`,
    }
  const { answer } = complete
  const answerEnd = answer === undefined ? whole.length : textOf({ ...complete, pieces: complete.pieces.slice(0, answer.end) }).length
  const end = endOfFormat(format).find(whole, Math.max(prompt.length, answerEnd), whole.length, false)
  return { span: [prompt.length, end?.end ?? Math.max(prompt.length, answerEnd)] }
}

/** The same of a prompt with its answer or one of several labels; `asked` is the prompt that asks for the answer. */
export function trainedPart(
  complete: { prompt: Prompt; label?: string | undefined },
  asked: Prompt | undefined,
  format: Format | undefined,
): TrainedAnswer {
  if (complete.label !== undefined && format) return trainedLabel(complete.prompt, format)
  return asked && format ? trainedAnswer(asked, complete.prompt, format) : { why: 'nothing asks for an answer' }
}

/** What the model writes of a prompt with one of several labels: the label, to and including the token that ends its turn. */
export function trainedLabel(complete: Prompt, format: Format): TrainedAnswer {
  if (complete.kind === 'chat') return { why: 'only the server knows how it writes messages' }
  const { answer } = complete
  if (answer === undefined) return { why: 'nothing tells the label from the question' }
  const [start, end] = [answer.start, answer.end].map((at) => textOf({ ...complete, pieces: complete.pieces.slice(0, at) }).length)
  const whole = textOf(complete)
  return { span: [start!, endOfFormat(format).find(whole, end!, whole.length, false)?.end ?? end!] }
}

function textOf({ pieces }: Completion): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
}
