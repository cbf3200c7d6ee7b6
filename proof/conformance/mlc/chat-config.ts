import { readMlcConfig } from '../../../packages/core/src/prompt/format/mlc/chat-config.ts'
import { readMlcConversation } from '../../../packages/core/src/prompt/format/mlc/read-mlc-conversation.ts'
import { writeOld } from '../../../packages/core/src/prompt/format/mlc/read-old.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

/** A complete `mlc-chat-config.json`, and a second one that overrides it. */
export function chatConfigSubject(vector: MlcVector): Omit<MlcSubject, 'again'> {
  return {
    vector,
    expected: vector.expected,
    produce: () => {
      const own = readMlcConfig(vector.config)
      const { settings, conversation } = vector.app_config ? readMlcConfig(vector.app_config, 'app_config', own) : own
      const read = readMlcConversation({}, 'mlc-chat-config.json', conversation)
      if (read.generation !== 'old') throw new Error('not of the old generation')
      const { prefix_tokens: prefix, ...config } = writeOld(read)
      return {
        conv_config: vector.era === '2024-03' ? { ...config, prefix_tokens: prefix } : config,
        max_gen_len: settings.maxGenLen,
        mean_gen_len: settings.meanGenLen,
        repetition_penalty: settings.repetitionPenalty,
        shift_fill_factor: settings.shiftFillFactor,
        temperature: settings.temperature,
        top_p: settings.topP,
      }
    },
  }
}
