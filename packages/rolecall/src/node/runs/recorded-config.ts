import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError, withoutMarks } from '@rolecall/core/internal/errors'
import { isDict, parseJson } from '@rolecall/core/internal/python'
import { type CheckedConfig, checkConfig } from '../../evaluation/config/check-config.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { readWholeText } from '../read-whole-file.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { readRunInfo, runFiles } from './run-layout.ts'
import { isComplete } from './written-config.ts'

/** Converts maps, which preserve the order of labels such as "0" and "1", to objects; rows are left as they are. */
function withPlainKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainKeys)
  if (!isDict(value)) return value
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(entries.map(([key, one]) => [key, key === 'rows' || key === 'train_rows' ? one : withPlainKeys(one)]))
}

/** Parses a config written by `writtenConfig`; undefined if it contained functions. */
export function readWrittenConfig(text: string, where: string): CheckedConfig | undefined {
  registerScoringPlugIns()
  const written = withPlainKeys(parseJson(text))
  return isComplete(written) ? checkConfig(withoutMarks(written), `${where} › `, { foreignKeys: true }) : undefined
}

/** The config of a run: the copy beside its results or, if that contained functions, the original file. */
export async function recordedConfig(folder: string): Promise<LoadedConfig> {
  const info = readRunInfo(folder)
  const file = join(folder, runFiles.config)
  const config = existsSync(file) ? readWrittenConfig(readWholeText(file), file) : undefined
  if (config) return { file: info.config ?? '', folder: info.folder, config }
  if (info.config !== undefined && existsSync(info.config)) {
    const { loadConfig } = await import('../config/load-config.ts')
    return loadConfig(info.config)
  }
  throw new PromptError('no-config', {
    where: folder,
    problem: `its config has functions, which ${runFiles.config} cannot store, and the original file is gone${info.config === undefined ? '' : ` (${info.config})`}`,
    fix: 'give the config file with --config',
  })
}
