import { PromptError } from '../../prompt-error.ts'
import type { Format } from '../format.ts'
import { type MlcChatConfig, readMlcConfig } from './chat-config.ts'
import type { MlcConversation } from './conversation.ts'
import { mlcFormat } from './mlc-format.ts'
import { readMlcConversation } from './read-conversation.ts'

/** What a model's config says about its conversation template. */
export type MlcSide = { conv_template?: unknown; conv_config?: unknown; mlc_config?: unknown; join_turns?: string }

type Model = MlcSide & { abbr?: string; format?: string; meta_template?: unknown }

export function isMlcModel({ conv_template: template, conv_config: config, mlc_config: file }: MlcSide): boolean {
  return template !== undefined || config !== undefined || file !== undefined
}

/** The format of a model that has a conversation template: its own, over that of its mlc-chat-config.json. */
export function mlcModelFormat(model: Model): Format {
  const where = model.abbr === undefined ? '' : `${model.abbr} › `
  for (const key of ['format', 'meta_template'] as const) {
    if (!model[key]) continue
    throw new PromptError('two-formats', {
      where: `${where}${key}`,
      problem: `the model has both a conversation template and a ${key}`,
      fix: 'keep one of them',
    })
  }
  const { conversation, bosTokenId } = readMlcModel(model, where)
  return mlcFormat(conversation, {
    ...(bosTokenId === undefined ? {} : { bosId: bosTokenId }),
    ...(model.join_turns === undefined ? {} : { joinTurns: model.join_turns }),
  })
}

/** A model's conversation template and the settings of its mlc-chat-config.json. */
function readMlcModel(model: Model, where: string): Pick<MlcChatConfig, 'bosTokenId'> & { conversation: MlcConversation } {
  const file = model.mlc_config === undefined ? undefined : readMlcConfig(model.mlc_config, `${where}mlc_config`)
  const conversation = readMlcConversation(model, where, file?.conversation)
  return { conversation, ...(file?.bosTokenId === undefined ? {} : { bosTokenId: file.bosTokenId }) }
}
