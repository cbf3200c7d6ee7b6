import * as z from '../../base/schema/schema.ts'
import { chatTemplateKind } from './chat-template/chat-template-kind.ts'
import type { FormatKey } from './format-keys.ts'
import { internlm2Kind } from './internlm2/internlm2-kind.ts'
import { metaTemplateKind } from './meta/meta-template-kind.ts'
import { mlcKind } from './mlc/mlc-kind.ts'

/** Settings that contain a whole format. They are checked when it is compiled, by its own rules. */
export const writtenFormats = { ...metaTemplateKind.chosenBy, ...mlcKind.chosenBy }

/** The settings of a model that declare its conversation format. */
export const formatFields = {
  format: z
    .optional(z.string())
    .check(
      z.describe(
        'A built-in chat format or MLC conversation template by name, e.g. "chatml" or "vicuna_v1.1"; `rolecall formats` lists them.',
      ),
    ),
  ...writtenFormats,
  ...chatTemplateKind.chosenBy,
  ...internlm2Kind.details,
  ...chatTemplateKind.details,
  ...mlcKind.details,
  ...metaTemplateKind.details,
} satisfies Record<FormatKey, z.FieldSchemas[string]>

const formatSettingsSchema = z.looseObject({
  abbr: z.optional(z.string()),
  type: z.optional(z.string()),
  endpoint: z.optional(z.string()),
  ...formatFields,
})

/** A model's conversation-format settings. Templates are checked when they are compiled. */
export type FormatSettings = z.input<typeof formatSettingsSchema>
