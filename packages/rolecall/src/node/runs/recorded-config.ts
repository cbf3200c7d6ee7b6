import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, normalize } from 'node:path'

import { PromptError, withoutMarks } from '@rolecall/core/internal/errors'
import { isDict, JsonSyntaxError, parseJson } from '@rolecall/core/internal/python'
import { type CheckedConfig, checkConfig } from '../../evaluation/config/check-config.ts'
import type { LoadedConfig } from '../config/load-config.ts'

import { isInside } from '../platform.ts'

import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { damagedFile, fileInRun, textInRun } from './file-in-run.ts'
import { isOwnRun } from './own-run.ts'
import { type RunInfo, remedies, runFiles } from './run-layout.ts'
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

/**
 * A config may be a program. We record the absolute path of one that the user ran, and put none into a run's folder: a run that names another
 * would run whatever came with it.
 */
function refuseOwnProgram(folder: string, config: string): void {
  // /proc/self/cwd/config.ts is absolute, and beside the run wherever its user unpacked it.
  const isFixed = isAbsolute(config) && !/^\/+(?:proc|dev|sys)(?:\/|$)/.test(normalize(config))
  if (isFixed && !isInside(realpathSync(config), realpathSync(folder))) return
  throw new PromptError('outside-run', {
    where: fileInRun(folder, runFiles.info),
    problem: `the config that it names (${config}) came with the run, and may be a program`,
    fix: 'look at the file, and if you trust it, give it with --config',
  })
}

/** A config that this machine has, and that nobody here has run: a run of somebody else may name whichever file it likes. */
function refuseForeignProgram(folder: string, info: RunInfo): void {
  if (isOwnRun(folder, info)) return
  throw new PromptError('foreign-config', {
    where: fileInRun(folder, runFiles.info),
    problem: `the config that it names (${info.config}) may be a program, and the run was not started by you on this machine`,
    fix: 'look at the file, and if you trust it, give it with --config',
  })
}

/** The config of a run: the copy beside its results or, if that contained functions, the original file. */
export async function recordedConfig(folder: string, info: RunInfo): Promise<LoadedConfig> {
  const config = writtenConfigIn(folder)
  if (config) return { file: info.config ?? '', folder: info.folder, config }
  if (info.config !== undefined && existsSync(info.config)) {
    refuseOwnProgram(folder, info.config)
    refuseForeignProgram(folder, info)
    const { loadConfig } = await import('../config/load-config.ts')
    return loadConfig(info.config)
  }
  throw new PromptError('no-config', {
    where: folder,
    problem: `its config has functions, which ${runFiles.config} cannot store, and the original file is gone${info.config === undefined ? '' : ` (${info.config})`}`,
    fix: 'give the config file with --config',
  })
}

/** The copy beside the results; undefined if there is none, or if it contained functions. */
function writtenConfigIn(folder: string): CheckedConfig | undefined {
  const text = textInRun(folder, runFiles.config)
  try {
    return text === undefined ? undefined : readWrittenConfig(text, fileInRun(folder, runFiles.config))
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw damagedFile(folder, runFiles.config, remedies.config)
    throw error
  }
}
