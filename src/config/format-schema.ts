import { z } from 'zod'
import { internlm2OptionsSchema } from './internlm2-options-schema.ts'
import { apiMetaTemplateSchema, messagesMetaTemplateSchema, metaTemplateSchema } from './meta-template-schema.ts'
import { mlcConfigSchema, newConversationSchema, oldConversationSchema } from './mlc-schema.ts'

/** Formats that are written out. They are checked where they are compiled, which knows the rules of their documents. */
export const writtenFormats = {
  meta_template: z
    .union([metaTemplateSchema, apiMetaTemplateSchema, messagesMetaTemplateSchema])
    .nullish()
    .describe('How the model expects a conversation to be written.'),
  conv_template: z
    .union([z.string(), newConversationSchema, oldConversationSchema])
    .optional()
    .describe('A conversation template of MLC by name, e.g. "vicuna_v1.1", or one as an object; `rolecall formats` lists the names.'),
  conv_config: z
    .union([oldConversationSchema, newConversationSchema])
    .optional()
    .describe('Changes to conv_template, or a whole conversation template (document 003).'),
  mlc_config: z
    .union([z.string(), mlcConfigSchema])
    .optional()
    .describe("A model's mlc-chat-config.json or its folder, relative to the config, or what stands in it."),
}

/** Settings that name the conversation format of a model. One that has none of them has no format of its own. */
const formatNames = {
  format: z
    .string()
    .optional()
    .describe(
      'A shipped conversation format or a conversation template of MLC by name, e.g. "chatml" or "vicuna_v1.1"; `rolecall formats` lists them.',
    ),
  ...writtenFormats,
  chat_template: z
    .string()
    .optional()
    .describe('A Hugging Face chat template, or the path of a tokenizer_config.json, .jinja or .gguf file or of the folder it is in.'),
}

/** Settings that say more about the format that another one names, and mean nothing to another format. */
const formatDetails = {
  format_options: internlm2OptionsSchema.optional(),
  special_tokens: z
    .record(z.string(), z.string())
    .optional()
    .describe("The template's special tokens, e.g. bos_token; by default those of the tokenizer_config.json."),
  chat_template_kwargs: z.record(z.string(), z.unknown()).optional().describe('Other variables of the template, e.g. enable_thinking.'),
  system_policy: z
    .enum(['error', 'fold'])
    .optional()
    .describe('A system turn that the chat template rejects: an error, or put before the words of the user.'),
  neighbours_policy: z
    .enum(['merge', 'error'])
    .optional()
    .describe('Turns of one role in a row, where the chat template wants them to alternate: joined, or an error.'),
  normalize_messages: z
    .boolean()
    .optional()
    .describe('Whether arguments that are JSON text are read and null contents become empty, as servers do; true by default.'),
  earlier_reasoning: z
    .enum(['strip', 'keep'])
    .optional()
    .describe('The reasoning of earlier turns: left out, or kept where the chat template can; by default as the template has it.'),
  join_turns: z
    .string()
    .optional()
    .describe('For conversation templates that write only the last user text: write everything that is said, with this between.'),
  is_api: z
    .boolean()
    .optional()
    .describe('Whether the model takes messages; by default it does if a role has an api_role or the type is an API.'),
}

export const formatFields = { ...formatNames, ...formatDetails }

/** A key of a model's config that says how conversations are written for it. */
export type FormatKey = keyof typeof formatFields

/** All such keys. What is done to a format (replaced, shown, left out of what tells answers apart) is done to all of them. */
export const formatKeys = Object.keys(formatFields) as readonly FormatKey[]

/** Whether a model names a format of its own. */
export function namesFormat(model: { readonly [Key in FormatKey]?: unknown }): boolean {
  return Object.keys(formatNames).some((key) => model[key as FormatKey] !== undefined)
}

/** What a model's config says about its format, and the rest of it. */
export function splitFormat<Model extends object>(
  model: Model,
): { format: Pick<Model, FormatKey & keyof Model>; rest: Omit<Model, FormatKey> } {
  const [format, rest] = [true, false].map((isFormat) =>
    Object.fromEntries(Object.entries(model).filter(([key]) => Object.hasOwn(formatFields, key) === isFormat)),
  )
  return { format, rest } as never
}
