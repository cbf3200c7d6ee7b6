/** Settings that choose the conversation format of a model. */
const formatNames = ['format', 'meta_template', 'conv_template', 'conv_config', 'mlc_config', 'chat_template', 'ollama_template'] as const

/** Additional settings for formats of one kind. */
const formatDetails = [
  'format_options',
  'special_tokens',
  'chat_template_kwargs',
  'roles',
  'system_policy',
  'neighbours_policy',
  'normalize_messages',
  'earlier_reasoning',
  'lost_text_policy',
  'parts',
  'response_template',
  'join_turns',
  'is_api',
] as const

/** A key of a model's config that determines how conversations are written; `format-schema.ts` has their schemas. */
export type FormatKey = (typeof formatNames)[number] | (typeof formatDetails)[number]

/** All format keys: a format is replaced, shown or left out of a cache key as a whole. */
export const formatKeys: readonly FormatKey[] = [...formatNames, ...formatDetails]

/** Whether a model declares a format. */
export function namesFormat(model: { readonly [Key in FormatKey]?: unknown }): boolean {
  return formatNames.some((key) => model[key] !== undefined)
}

/** Splits a model's config into its format settings and the rest. */
export function splitFormat<Model extends object>(
  model: Model,
): { format: Pick<Model, FormatKey & keyof Model>; rest: Omit<Model, FormatKey> } {
  const [format, rest] = [true, false].map((isFormat) =>
    Object.fromEntries(Object.entries(model).filter(([key]) => (formatKeys as readonly string[]).includes(key) === isFormat)),
  )
  return { format, rest } as never
}
