import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isDict } from '../../../base/python/index.ts'
import type { Format } from '../format.ts'
import { type MlcChatConfig, type MlcSettings, readMlcConfig } from './chat-config.ts'
import type { MlcConversation } from './conversation.ts'
import { mlcFormat } from './mlc-format.ts'
import { readMlcConversation } from './read-conversation.ts'

/** What a model's config says about its conversation template. */
export type MlcFormatSettings = { conv_template?: unknown; conv_config?: unknown; mlc_config?: unknown; join_turns?: string }

type Model = MlcFormatSettings & { abbr?: string; format?: string; meta_template?: unknown }

export function isMlcModel({ conv_template: template, conv_config: config, mlc_config: file }: MlcFormatSettings): boolean {
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
    bosId: bosTokenId,
    joinTurns: model.join_turns,
  })
}

/** A model's conversation template and the settings of its mlc-chat-config.json. */
function readMlcModel(model: Model, where: string): Pick<MlcChatConfig, 'bosTokenId'> & { conversation: MlcConversation } {
  const file = model.mlc_config === undefined ? undefined : readMlcConfig(model.mlc_config, `${where}mlc_config`)
  const conversation = readMlcConversation(model, where, file?.conversation)
  return { conversation, ...(file?.bosTokenId === undefined ? {} : { bosTokenId: file.bosTokenId }) }
}

/** Sampling settings as a model's config may write them; they win over those of its mlc-chat-config.json. */
type Sampling = {
  temperature?: unknown
  repetition_penalty?: unknown
  top_p?: unknown
  presence_penalty?: unknown
  frequency_penalty?: unknown
  max_out_len?: unknown
  max_seq_len?: unknown
}

/**
 * The settings of a model that has a `mlc_config`: those of the file, unless the model's own config (or its `generation_kwargs`) says
 * otherwise. `max_out_len` is the most tokens of a reply, `max_seq_len` the window.
 *
 * @example
 * const settings = mlcSettingsOf({ mlc_config: { temperature: 0.2, top_p: 0.9 }, generation_kwargs: { top_p: 0.5 } })
 * settings?.temperature // => 0.2
 * settings?.topP // => 0.5
 */
export function mlcSettingsOf(
  model: MlcFormatSettings & Sampling & { abbr?: string; generation_kwargs?: unknown },
): MlcSettings | undefined {
  if (model.mlc_config === undefined) return undefined
  const { settings } = readMlcConfig(model.mlc_config, `${model.abbr === undefined ? '' : `${model.abbr} › `}mlc_config`)
  const own: Sampling = { ...model, ...(isDict(model.generation_kwargs) ? (model.generation_kwargs as Sampling) : {}) }
  const number = (given: unknown, otherwise: number) => (typeof given === 'number' ? given : otherwise)
  const window = typeof own.max_seq_len === 'number' ? own.max_seq_len : settings.maxWindowSize
  return {
    ...settings,
    temperature: number(own.temperature, settings.temperature),
    repetitionPenalty: number(own.repetition_penalty, settings.repetitionPenalty),
    topP: number(own.top_p, settings.topP),
    presencePenalty: number(own.presence_penalty, settings.presencePenalty),
    frequencyPenalty: number(own.frequency_penalty, settings.frequencyPenalty),
    maxGenLen: number(own.max_out_len, settings.maxGenLen),
    maxWindowSize: window,
  }
}
