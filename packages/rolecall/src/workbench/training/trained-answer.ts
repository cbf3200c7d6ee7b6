import type { Format, Prompt } from '@rolecall/core/internal/format'
import { endOfFormat, growthOf } from '@rolecall/core/internal/masks'
import type { RequestPlan, RowQuestion } from '../../evaluation/run/ask/inferencer.ts'
import { type RowPrompt, rowPrompts, withMode } from '../../evaluation/run/ask/row-prompts.ts'

type Completion = Prompt & { kind: 'completion' }

/** The characters of a complete prompt that the model writes, or why they cannot be determined. */
export type TrainedAnswer = { span: readonly [start: number, end: number] } | { why: string }

/**
 * What the model writes in a row's complete prompt: from the end of the generation prompt through the end-of-turn token.
 */
export function trainedAnswer(asked: Prompt, complete: Prompt, format: Format): TrainedAnswer {
  if (asked.kind === 'chat' || complete.kind === 'chat') return { why: 'only the server knows how it renders messages' }
  const [prompt, whole] = [textOf(asked), textOf(complete)]
  const growth = growthOf(prompt, whole)
  if (!growth.isAppended)
    return {
      why: `the generation prompt has ${JSON.stringify(growth.shorter)} where the complete prompt has ${JSON.stringify(growth.longer)}`,
    }
  const { answer } = complete
  const answerEnd = answer === undefined ? whole.length : textOf({ ...complete, pieces: complete.pieces.slice(0, answer.end) }).length
  const end = endOfFormat(format).find(whole, Math.max(prompt.length, answerEnd), whole.length, false)
  return { span: [prompt.length, end?.end ?? Math.max(prompt.length, answerEnd)] }
}

/** The same for a prompt with its answer or one of several labels; `asked` is the generation prompt. */
export function trainedPart(
  complete: { prompt: Prompt; label?: string | undefined },
  asked: Prompt | undefined,
  format: Format | undefined,
): TrainedAnswer {
  if (complete.label !== undefined && format) return trainedLabel(complete.prompt, format)
  return asked && format ? trainedAnswer(asked, complete.prompt, format) : { why: 'there is no generation prompt' }
}

/** What the model writes in a prompt with a label: the label through the end-of-turn token. */
export function trainedLabel(complete: Prompt, format: Format): TrainedAnswer {
  if (complete.kind === 'chat') return { why: 'only the server knows how it renders messages' }
  const { answer } = complete
  if (answer === undefined) return { why: 'the label cannot be separated from the question' }
  const [start, end] = [answer.start, answer.end].map((at) => textOf({ ...complete, pieces: complete.pieces.slice(0, at) }).length)
  const whole = textOf(complete)
  return { span: [start!, endOfFormat(format).find(whole, end!, whole.length, false)?.end ?? end!] }
}

function textOf({ pieces }: Completion): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
}

/** The complete prompts of a row, one per label if there are several, and the trained part of each. */
export function trainedPrompts(plan: RequestPlan, question: RowQuestion): { prompts: RowPrompt[]; trained: TrainedAnswer[] } {
  const [asked] = rowPrompts(withMode(plan, 'gen'), question)
  const prompts = rowPrompts(withMode(plan, 'ppl'), question)
  return {
    prompts,
    trained: prompts.map(({ rendered: { prompt }, label }) => trainedPart({ prompt, label }, asked?.rendered.prompt, plan.maker.format)),
  }
}
