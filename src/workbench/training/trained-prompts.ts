import type { RequestPlan, RowQuestion } from '../../evaluation/run/ask/inferencer.ts'
import { type RowPrompt, rowPrompts, withMode } from '../../evaluation/run/ask/row-prompts.ts'
import { type TrainedAnswer, trainedPart } from './trained-answer.ts'

/** The prompts of a row with their answers, one for each label where there are several, and what of each a model would be trained on. */
export function trainedPrompts(plan: RequestPlan, question: RowQuestion): { prompts: RowPrompt[]; trained: TrainedAnswer[] } {
  const [asked] = rowPrompts(withMode(plan, 'gen'), question)
  const prompts = rowPrompts(withMode(plan, 'ppl'), question)
  return {
    prompts,
    trained: prompts.map(({ rendered: { prompt }, label }) => trainedPart({ prompt, label }, asked?.rendered.prompt, plan.maker.format)),
  }
}
