import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { RequestPlan, RowQuestion } from 'rolecall/internal/evaluation/run/ask/inferencer'
import { trainedPrompts } from 'rolecall/internal/workbench/training/trained-answer'
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
