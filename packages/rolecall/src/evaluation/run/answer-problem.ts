import { isList } from '@rolecall/core/internal/python'
import type { RequestPlan } from './ask/inferencer.ts'
import { composedText } from './ask/request-text.ts'
import { isChained, startRow } from './ask/start-row.ts'
import type { HashedRequests } from './ask-row.ts'
import type { RowAnswer } from './record/run-record.ts'

/**
 * Why an answer from a cache or a worker cannot belong to this row; undefined if it can. It must name the prompts of the row, as many
 * examples as there are, and an answer of the kind that was requested. The prompts after a model's reply (several turns) are not checked.
 */
export function answerProblem(
  plan: RequestPlan,
  { begun, bodies }: HashedRequests,
  { prompt_hash, prediction, scores, examples: { used, dropped } }: RowAnswer,
  hash: (text: string) => string,
): string | undefined {
  const { row, examples } = begun.question
  const isScored = plan.inferencer.needs === 'score'
  if (isScored ? isList(prediction) : typeof prediction === 'number') return 'its prediction is not of the requested kind'
  if (!isScored && scores !== undefined) return 'it has scores, and none were requested'
  const shown = (plan.maker.showsExamples?.(row) ?? true) ? examples.length : 0
  if (used + dropped !== shown) return `it names ${used} + ${dropped} examples, and the row has ${shown}`
  if (isChained(begun.first)) return prompt_hash.length === 64 ? undefined : 'its prompt hash is not a hash'
  const sent = dropped === 0 ? bodies : startRow(plan, { row, examples: examples.slice(0, used) }).first.prompts.map(composedText)
  return hash(sent.join('\u0000')) === prompt_hash ? undefined : 'its prompt hash is not that of the row'
}
