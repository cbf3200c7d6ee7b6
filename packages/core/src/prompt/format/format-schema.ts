import * as z from '../../base/schema/schema.ts'
import { formatDetailFields } from './format-detail-fields.ts'
import type { FormatKey } from './format-keys.ts'
import { internlm2OptionsSchema } from './internlm2/internlm2-options-schema.ts'
import { apiMetaTemplateSchema, messagesMetaTemplateSchema, metaTemplateSchema } from './meta/meta-template-schema.ts'
import { mlcConfigSchema, newConversationSchema, oldConversationSchema } from './mlc/mlc-schema.ts'

/** Settings that contain a whole format. They are checked when it is compiled, by its own rules. */
export const writtenFormats = {
  meta_template: z
    .nullish(z.union([metaTemplateSchema, apiMetaTemplateSchema, messagesMetaTemplateSchema]))
    .check(z.describe('How the model expects a conversation to be written.')),
  conv_template: z
    .optional(z.union([z.string(), newConversationSchema, oldConversationSchema]))
    .check(
      z.describe('An MLC conversation template by name, e.g. "vicuna_v1.1", or one as an object; `rolecall list formats` lists the names.'),
    ),
  conv_config: z
    .optional(z.union([oldConversationSchema, newConversationSchema]))
    .check(z.describe('Changes to conv_template, or a complete conversation template.')),
  mlc_config: z
    .optional(z.union([z.string(), mlcConfigSchema]))
    .check(z.describe("A model's mlc-chat-config.json or its folder, relative to the config, or its contents.")),
}

/** The settings of a model that declare its conversation format. */
export const formatFields = {
  format: z
    .optional(z.string())
    .check(
      z.describe(
        'A built-in chat format or MLC conversation template by name, e.g. "chatml" or "vicuna_v1.1"; `rolecall list formats` lists them.',
      ),
    ),
  ...writtenFormats,
  chat_template: z
    .optional(z.string())
    .check(
      z.describe(
        'A Hugging Face chat template, or the path of a tokenizer_config.json, .jinja or .gguf file or of the folder it is in, or the name of a model on a hub.',
      ),
    ),
  ollama_template: z
    .optional(z.string())
    .check(z.describe('The text of an Ollama Modelfile, or only of its TEMPLATE; `--format ./Modelfile` reads it from a file.')),
  format_options: z.optional(internlm2OptionsSchema),
  ...formatDetailFields,
} satisfies Record<FormatKey, z.FieldSchemas[string]>

const formatSettingsSchema = z.looseObject({
  abbr: z.optional(z.string()),
  type: z.optional(z.string()),
  endpoint: z.optional(z.string()),
  ...formatFields,
})

/** A model's conversation-format settings. Templates are checked when they are compiled. */
export type FormatSettings = z.input<typeof formatSettingsSchema>
