import { splitFormat } from '../../prompt/format/format-keys.ts'
import type { ModelConfig } from './config-schema.ts'

/** A format that is given to all models, and what to call it. */
export type GivenFormat = { name: string; model: ModelConfig }

/** The models with another format in place of their own; where there are none, the format by itself. */
export function inFormat(models: readonly ModelConfig[], { name, model: given }: GivenFormat): ModelConfig[] {
  const rewritten = models.map(
    (model): ModelConfig => ({
      ...splitFormat(model).rest,
      ...given,
      ...(model.tokenizer_path === undefined ? {} : { tokenizer_path: model.tokenizer_path }),
    }),
  )
  return rewritten.length > 0 ? rewritten : [{ abbr: name, ...given }]
}
