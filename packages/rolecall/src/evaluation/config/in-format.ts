import type { Note } from '@rolecall/core/internal/errors'
import { splitFormat } from '@rolecall/core/internal/format'
import type { ModelConfig } from './config-schema.ts'

/** A format for all models, and its name. */
export type GivenFormat = { name: string; model: ModelConfig; notes?: readonly Note[] }

/** The models in another format; without models, one entry for the format. */
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
