import { mlcSettingsOf } from '@rolecall/core/internal/format'
import type { ModelSettings } from '../model-types/model-settings.ts'
import type { HistoryOptions } from './fit-history.ts'

/** As document 003: how much is reserved for the reply, and how much is refilled after an overflow. */
export function historyOf(config: ModelSettings): HistoryOptions {
  const settings = mlcSettingsOf(config)
  if (!settings) return config.max_seq_len === undefined ? {} : { window: config.max_seq_len }
  const { maxWindowSize, meanGenLen, shiftFillFactor } = settings
  return { shift: 'mlc', reserve: meanGenLen, fill: shiftFillFactor, window: maxWindowSize }
}
