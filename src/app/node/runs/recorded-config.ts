import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { withoutMarks } from '../../../base/errors/secrets.ts'
import { isDict, parseJson } from '../../../base/python/index.ts'
import { type CheckedConfig, checkConfig } from '../../../evaluation/config/check-config.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { readRunInfo, runFiles } from './run-layout.ts'
import { isComplete } from './written-config.ts'

/** Labels such as "0" and "1" are read as a map, which keeps their order; a config has objects. Rows stay as they were read. */
function withPlainKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainKeys)
  if (!isDict(value)) return value
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(entries.map(([key, one]) => [key, key === 'rows' || key === 'train_rows' ? one : withPlainKeys(one)]))
}

/** Reads a config as `writtenConfig` writes it; undefined where it had functions. */
export function readWrittenConfig(text: string, where: string): CheckedConfig | undefined {
  const written = withPlainKeys(parseJson(text))
  return isComplete(written) ? checkConfig(withoutMarks(written), `${where} › `, { foreignKeys: true }) : undefined
}

/** The config of a run: what is written beside its results, or where that has functions, the file it came from. */
export async function recordedConfig(folder: string): Promise<LoadedConfig> {
  const info = readRunInfo(folder)
  const file = join(folder, runFiles.config)
  const config = existsSync(file) ? readWrittenConfig(readFileSync(file, 'utf8'), file) : undefined
  if (config) return { file: info.config ?? '', folder: info.folder, config }
  if (info.config !== undefined && existsSync(info.config)) {
    const { loadConfig } = await import('../config/load-config.ts')
    return loadConfig(info.config)
  }
  throw new PromptError('no-config', {
    where: folder,
    problem: `its config has functions, which are not in ${runFiles.config}, and the file it came from is gone${info.config === undefined ? '' : ` (${info.config})`}`,
    fix: 'give the config file with --config',
  })
}
