import type { ModelConfig } from '../config/config-schema.ts'

/** A format that is given to all models, and what to call it. */
export type GivenFormat = { name: string; model: ModelConfig }

/** The models with another format each, and a name that says so. */
export function inFormat(models: readonly ModelConfig[], { name, model: given }: GivenFormat): ModelConfig[] {
  const rewritten = models.map(
    ({
      meta_template: _,
      is_api: __,
      format: ___,
      format_options: _______,
      conv_template: ____,
      conv_config: _____,
      mlc_config: ______,
      chat_template: ________,
      special_tokens: _________,
      ...model
    }) => ({
      ...model,
      ...given,
      abbr: `${model.abbr ?? 'model'} as ${name}`,
    }),
  )
  return rewritten.length > 0 ? rewritten : [{ abbr: name, ...given }]
}
