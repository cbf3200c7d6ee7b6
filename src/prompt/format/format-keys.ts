/** Settings that name the conversation format of a model. One that has none of them has no format of its own. */
const formatNames = ['format', 'meta_template', 'conv_template', 'conv_config', 'mlc_config', 'chat_template'] as const

/** Settings that say more about the format that another one names, and mean nothing to another format. */
const formatDetails = [
  'format_options',
  'special_tokens',
  'chat_template_kwargs',
  'system_policy',
  'neighbours_policy',
  'normalize_messages',
  'earlier_reasoning',
  'join_turns',
  'is_api',
] as const

/** A key of a model's config that says how conversations are written for it; `format-schema.ts` has their schemas. */
export type FormatKey = (typeof formatNames)[number] | (typeof formatDetails)[number]

/** All such keys. What is done to a format (replaced, shown, left out of what tells answers apart) is done to all of them. */
export const formatKeys: readonly FormatKey[] = [...formatNames, ...formatDetails]

/** Whether a model names a format of its own. */
export function namesFormat(model: { readonly [Key in FormatKey]?: unknown }): boolean {
  return formatNames.some((key) => model[key] !== undefined)
}

/** What a model's config says about its format, and the rest of it. */
export function splitFormat<Model extends object>(
  model: Model,
): { format: Pick<Model, FormatKey & keyof Model>; rest: Omit<Model, FormatKey> } {
  const [format, rest] = [true, false].map((isFormat) =>
    Object.fromEntries(Object.entries(model).filter(([key]) => (formatKeys as readonly string[]).includes(key) === isFormat)),
  )
  return { format, rest } as never
}
