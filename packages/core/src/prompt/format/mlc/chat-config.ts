import { check } from '../../../base/errors/check.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { PyFloat } from '../../../base/python/index.ts'
import { camelCase } from '../../../base/text/camel-case.ts'
import { checkKeys, refuseFloats } from './check-keys.ts'
import type { MlcConversation } from './mlc-conversation.ts'
import {
  type MlcRange,
  type MlcSampling,
  mlcConfigSchema,
  mlcSamplingDefaults,
  mlcSamplingNames,
  mlcSamplingOf,
  mlcSamplingRanges,
} from './mlc-schema.ts'
import { plainConfig } from './parse-config.ts'
import { readMlcConversation } from './read-mlc-conversation.ts'

/** The sampling and window settings of a `mlc-chat-config.json`. */
export type MlcSettings = MlcSampling & {
  /** The expected length of a reply, which is reserved in the window. */
  meanGenLen: number
  /** Maximum tokens of a reply. */
  maxGenLen: number
  /** How much of the window history may fill again after an overflow. */
  shiftFillFactor: number
  /** The size of the model's context, if the file has it. */
  maxWindowSize?: number
}

/** The settings of a `mlc-chat-config.json`: sampling, tokens and the conversation template. */
export type MlcChatConfig = {
  settings: MlcSettings
  conversation?: MlcConversation
  bosTokenId?: number
  tokenizerFiles: readonly string[]
  /** Paths of ignored keys. */
  unused: readonly string[]
}

/** As document 003 states them; those of the window as in the code that it describes. */
export const mlcDefaults: MlcSettings = {
  ...mlcSamplingDefaults,
  meanGenLen: 128,
  maxGenLen: 512,
  shiftFillFactor: 0.3,
}

/**
 * Reads the contents of a `mlc-chat-config.json` (document 003 and the current generation).
 *
 * @example
 * const { settings } = readMlcConfig({ conv_template: 'vicuna_v1.1', temperature: 0.2 })
 * settings.topP // => 0.95
 */
export function readMlcConfig(given: unknown, where = 'mlc-chat-config.json', base?: MlcChatConfig): MlcChatConfig {
  if (typeof given === 'string') {
    throw new PromptError('not-read', {
      where,
      problem: `${JSON.stringify(given)} is the path of a file that has not been read`,
      fix: 'pass its content: parseMlcConfig(text)',
    })
  }
  const plain = withFloats(plainConfig(given, where))
  const unused = checkKeys(plain, Object.keys(mlcConfigSchema.shape), [], where)
  for (const key of integerKeys) refuseFloats(plain[key], `${where}.${key}`)
  const config = check(mlcConfigSchema, plain, where)
  checkRanges(config, where)
  const start = base?.settings ?? mlcDefaults
  const windowSize = config.max_window_size ?? config.context_window_size ?? start.maxWindowSize
  const window = windowSize === noLimit ? undefined : windowSize
  const hasTemplate = plain.conv_template !== undefined || plain.conv_config !== undefined
  const conversation = hasTemplate ? readMlcConversation(plain, where, base?.conversation) : base?.conversation
  const bosTokenId = config.bos_token_id ?? base?.bosTokenId
  return {
    settings: {
      ...mlcSamplingOf((name) => config[name] ?? start[camelCase(name)]),
      meanGenLen: config.mean_gen_len ?? start.meanGenLen,
      maxGenLen: config.max_gen_len ?? start.maxGenLen,
      shiftFillFactor: config.shift_fill_factor ?? start.shiftFillFactor,
      maxWindowSize: window,
    },
    ...(conversation ? { conversation } : {}),
    bosTokenId,
    tokenizerFiles: config.tokenizer_files ?? base?.tokenizerFiles ?? [],
    unused,
  }
}

/** The valid range of each setting. */
export const mlcRanges: Readonly<Record<string, MlcRange>> = {
  ...mlcSamplingRanges,
  mean_gen_len: { least: 0, fix: 'use the number of tokens to keep free for a reply, e.g. 128' },
  max_gen_len: { least: 1, fix: 'use the maximum number of tokens of a reply, e.g. 512' },
  shift_fill_factor: { least: 0, most: 1, fix: 'use 0 to 1, e.g. 0.3' },
  max_window_size: { least: 1, fix: 'use the number of tokens, or -1 for no limit' },
  context_window_size: { least: 1, fix: 'use the number of tokens, or -1 for no limit' },
}

/** The window sizes that mean no limit. */
const noLimit = -1

function checkRanges(config: Readonly<Record<string, unknown>>, where: string): void {
  for (const [key, { least, most = Number.POSITIVE_INFINITY, fix }] of Object.entries(mlcRanges)) {
    const value = config[key]
    if (typeof value !== 'number' || (value >= least && value <= most) || (key.endsWith('window_size') && value === noLimit)) continue
    const problem = key === 'repetition_penalty' ? `the number ${value} is not greater than 0` : `the number ${value} is out of range`
    throw new PromptError('wrong-value', { where: `${where}.${key}`, problem, fix })
  }
}

const integerKeys = ['mean_gen_len', 'max_gen_len', 'max_window_size', 'context_window_size', 'bos_token_id', 'vocab_size']
const floatKeys: readonly string[] = [...mlcSamplingNames, 'shift_fill_factor']

/** `1.0` is accepted as a number; where an integer is required, it is left unchanged and rejected. */
function withFloats(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, value instanceof PyFloat && floatKeys.includes(key) ? value.value : value]),
  )
}
