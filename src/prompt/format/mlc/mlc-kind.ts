import { PromptError } from '../../../base/errors/prompt-error.ts'
import * as z from '../../../base/schema/schema.ts'
import { type FormatKind, placeIn } from '../format-kind.ts'
import { readMlcConfig } from './chat-config.ts'
import { mlcFormat } from './mlc-format.ts'
import { mlcConfigSchema, newConversationSchema, oldConversationSchema } from './mlc-schema.ts'
import { readMlcConversation } from './read-mlc-conversation.ts'

/** A model's conversation-template settings. */
export type MlcFormatSettings = { conv_template?: unknown; conv_config?: unknown; mlc_config?: unknown; join_turns?: string }

/** MLC conversation templates: by name, written out, or in a model's mlc-chat-config.json. */
export const mlcKind = {
  chosenBy: {
    conv_template: z
      .optional(z.union([z.string(), newConversationSchema, oldConversationSchema]))
      .check(
        z.describe('An MLC conversation template by name, e.g. "vicuna_v1.1", or one as an object; `rolecall formats` lists the names.'),
      ),
    conv_config: z
      .optional(z.union([oldConversationSchema, newConversationSchema]))
      .check(z.describe('Changes to conv_template, or a complete conversation template.')),
    mlc_config: z
      .optional(z.union([z.string(), mlcConfigSchema]))
      .check(z.describe("A model's mlc-chat-config.json or its folder, relative to the config, or its contents.")),
  },
  details: {
    join_turns: z
      .optional(z.string())
      .check(z.describe('For conversation templates that write only the last user text: write all turns, joined by this text.')),
  },
  isChosen: ({ conv_template: template, conv_config: config, mlc_config: file }) =>
    template !== undefined || config !== undefined || file !== undefined,
  compile(model) {
    for (const key of ['format', 'meta_template'] as const) {
      if (!model[key]) continue
      throw new PromptError('two-formats', {
        where: placeIn(model, key),
        problem: `the model has both a conversation template and a ${key}`,
        fix: 'keep one of them',
      })
    }
    const file = model.mlc_config === undefined ? undefined : readMlcConfig(model.mlc_config, placeIn(model, 'mlc_config'))
    const conversation = readMlcConversation(model, placeIn(model, ''), file?.conversation)
    return mlcFormat(conversation, { bosId: file?.bosTokenId, joinTurns: model.join_turns })
  },
} satisfies FormatKind<MlcFormatSettings>
