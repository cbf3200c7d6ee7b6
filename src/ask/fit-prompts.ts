import { type Fitted, fitExamples } from '../fit/fit-examples.ts'
import type { Prompt } from '../format/format.ts'
import { lookAlikes } from '../tokenize/look-alikes.ts'
import type { PlanContext, RowQuestion } from './inferencer.ts'

/**
 * The prompts of a row as they are sent: with as many examples as `max_seq_len` leaves, the same for all of them. Markers in
 * data are noted, or refused before the model sees them, as the model's `marker_policy` says.
 */
export function fitPrompts(
  { modelConfig, maker, count }: PlanContext,
  { row, examples }: RowQuestion,
  render: (question: RowQuestion) => Prompt[],
): Fitted<Prompt[]> {
  // Where they have no place, rendering tells so, and none is used.
  const isShown = maker.showsExamples?.(row) ?? true
  const fitted = fitExamples({
    examples: isShown ? examples : [],
    limit: count && modelConfig.max_seq_len,
    render: (kept) => render({ row, examples: isShown ? kept : examples }),
    count: (prompts) => Math.max(...prompts.map((prompt) => count?.(prompt) ?? 0)),
  })
  // The prompts of a row show the same data; what a label adds is the template's.
  const [first] = fitted.rendered
  const alike = first ? lookAlikes(first, maker.format.markers, modelConfig.marker_policy) : []
  return alike.length === 0 ? fitted : { ...fitted, notes: [...fitted.notes, ...alike] }
}
