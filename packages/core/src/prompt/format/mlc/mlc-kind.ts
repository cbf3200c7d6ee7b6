import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type FormatKind, placeIn } from '../format-kind.ts'
import { readMlcConfig } from './chat-config.ts'
import { mlcFormat, noThoughts } from './mlc-format.ts'
import { readMlcConversation } from './read-mlc-conversation.ts'

/** A model's conversation-template settings. */
export type MlcFormatSettings = {
  conv_template?: unknown
  conv_config?: unknown
  mlc_config?: unknown
  join_turns?: string
  chat_template_kwargs?: Readonly<Record<string, unknown>>
}

/** MLC conversation templates: by name, written out, or in a model's mlc-chat-config.json. */
export const mlcKind = {
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
    const thinks = model.chat_template_kwargs?.enable_thinking !== false
    if (!thinks && conversation.generation === 'old') throw noThoughts(placeIn(model, 'chat_template_kwargs'))
    return mlcFormat(conversation, { bosId: file?.bosTokenId, joinTurns: model.join_turns, thinks })
  },
} satisfies FormatKind<MlcFormatSettings>
