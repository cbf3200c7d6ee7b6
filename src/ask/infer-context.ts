import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { promptCounter } from '../fit/prompt-counter.ts'
import type { PromptMaker } from '../prompt/compile-prompt.ts'
import type { Tokenizer } from '../tokenize/tokenizer.ts'
import { generationOf } from './generation.ts'
import type { PlanContext } from './inferencer.ts'

/** What is joined to be asked: a model's config and a dataset's. */
export type Planned = { maker: PromptMaker; model: ModelConfig; dataset: DatasetConfig; name: { dataset: string } }

/** What all rows of a model and a dataset share, worked out once. */
export function planContext({ maker, model, dataset, name }: Planned, tokenizer: Tokenizer | undefined): PlanContext {
  const count = promptCounter(tokenizer, maker.format)
  return {
    maker,
    modelConfig: model,
    dataset,
    where: name.dataset,
    generation: generationOf(model, dataset),
    samples: dataset.n ?? 1,
    ...(count ? { count } : {}),
  }
}
