import type { AskPlan, RowQuestion } from '../../evaluation/run/ask/inferencer.ts'
import { inMode, type RowPrompt, rowPrompts } from '../../evaluation/run/ask/row-prompts.ts'
import { type TrainedAnswer, trainedPart } from './trained-answer.ts'

/** The prompts of a row with their answers, one for each label where there are several, and what of each a model would be trained on. */
export function trainedPrompts(plan: AskPlan, question: RowQuestion): { prompts: RowPrompt[]; trained: TrainedAnswer[] } {
  const [asked] = rowPrompts(inMode(plan, 'gen'), question)
  const prompts = rowPrompts(inMode(plan, 'ppl'), question)
  return {
    prompts,
    trained: prompts.map(({ rendered: { prompt }, label }) => trainedPart({ prompt, label }, asked?.rendered.prompt, plan.maker.format)),
  }
}
