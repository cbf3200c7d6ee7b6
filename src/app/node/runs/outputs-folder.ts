import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../../../evaluation/config/config-schema.ts'
import { readShard, shardFolder } from '../../../evaluation/run/shard.ts'
import { findConfig, type LoadedConfig } from '../config/load-config.ts'

/** The folder in which runs are written, beside the config that they are of. */
export const outputs = 'outputs'

type Where = { name?: string; workDir?: string; outputsIn?: string; shard?: string }

/**
 * The folders in which the runs of a config may lie. New ones go to the first: `outputs/<name>` beside the config file, so that a run
 * is found from wherever it was started. Earlier versions wrote to the working folder.
 */
export function parentsOf(config: Config | LoadedConfig, { name = 'run', workDir, outputsIn, shard }: Where): [string, ...string[]] {
  const first = workDir ?? join(outputsIn ?? besideConfig(config), outputs, name)
  const parents = workDir === undefined ? [first, join(outputs, name)] : [first]
  const part = shard === undefined ? '.' : shardFolder(readShard(shard))
  return [...new Set(parents.map((parent) => resolve(parent, part)))] as [string, ...string[]]
}

/** A file that only stands for a config, as that of a model, is not where results belong. */
function besideConfig(config: Config | LoadedConfig): string {
  const hasFile = 'config' in config && config.file !== '' && config.recognised === undefined
  return hasFile ? config.folder : '.'
}

/** A config named rolecall.config.* is known by its folder, any other by its own name. */
export function runName(file: string): string {
  const own = basename(file).replace(/\.[^.]+$/, '')
  return own === 'rolecall.config' ? basename(dirname(file)) || 'run' : own
}

/** Where folders of runs may lie that are named without their whole path: the working folder, and that of the nearest config. */
export function placesOfRuns(): string[] {
  const config = findConfig(process.cwd())
  return [...new Set([process.cwd(), ...(config === undefined ? [] : [dirname(config)])])]
}
