import type { DatasetConfig, ModelConfig } from '../../../src/evaluation/config/config-schema.ts'
import type { AskPlan, RequestPlan, RowQuestion } from '../../../src/evaluation/run/ask/inferencer.ts'
import { trainedPrompts } from '../../../src/workbench/training/trained-answer.ts'
import { useLoad } from '../data/use-load.ts'
import { isForeign, rowTrial, tryFirst } from '../guard/try-first.ts'

type Asked = RowQuestion & { plan?: RequestPlan | undefined; model: ModelConfig; dataset: DatasetConfig }

/** The prompts of a row with their answers and what of them is trained, as `rolecall tokens --mask` has it; undefined while it is not asked for. */
export function useTrained({ plan, model, dataset, row, examples }: Asked, isWanted: boolean) {
  return useLoad(async () => {
    if (!isWanted || !plan) return undefined
    // A model's template is tried where it can be stopped: these are other prompts than the page has rendered.
    if (isForeign(model)) for (const mode of ['gen', 'ppl'] as const) await tryFirst(rowTrial(model, dataset, mode, { row, examples }))
    return trainedPrompts(plan, { row, examples })
  }, [isWanted, plan, row, examples])
}
