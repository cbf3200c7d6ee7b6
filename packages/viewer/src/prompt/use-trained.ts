import type { DatasetConfig, ModelConfig } from '../../../src/evaluation/config/config-schema.ts'
import type { RequestPlan, RowQuestion } from '../../../src/evaluation/run/ask/inferencer.ts'
import { trainedPrompts } from '../../../src/workbench/training/trained-answer.ts'
import { useLoad } from '../data/use-load.ts'
import { isForeign, rowTrial, tryFirst } from '../guard/try-first.ts'

type Asked = RowQuestion & { plan?: RequestPlan | undefined; model: ModelConfig; dataset: DatasetConfig }

/** The complete prompts of a row and their trained parts, as in `rolecall tokens --mask`; undefined unless requested. */
export function useTrained({ plan, model, dataset, row, examples }: Asked, isWanted: boolean) {
  return useLoad(
    async (signal) => {
      if (!isWanted || !plan) return undefined
      // Try a model's template in a worker: these prompts differ from those already rendered.
      if (isForeign(model))
        for (const mode of ['gen', 'ppl'] as const) await tryFirst(rowTrial(model, dataset, mode, { row, examples }), { signal })
      return trainedPrompts(plan, { row, examples })
    },
    [isWanted, plan, row, examples],
  )
}
