import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkConfig } from '../../config/check-config.ts'
import { withoutMarks } from '../../config/secrets.ts'
import { PromptError } from '../../prompt-error.ts'
import { isDict, parseJson } from '../../python/index.ts'
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

/** The config of a run: what is written beside its results, or where that has functions, the file it came from. */
export async function recordedConfig(folder: string): Promise<LoadedConfig> {
  const info = readRunInfo(folder)
  const file = join(folder, runFiles.config)
  const written = existsSync(file) ? withPlainKeys(parseJson(readFileSync(file, 'utf8'))) : undefined
  if (written !== undefined && isComplete(written)) {
    return {
      file: info.config ?? '',
      folder: info.folder,
      config: checkConfig(withoutMarks(written), `${file} › `, { foreignKeys: true }),
    }
  }
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
