import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../../evaluation/config/config-schema.ts'
import { readShard, shardFolder } from '../../evaluation/run/shard.ts'
import { findConfig, type LoadedConfig } from '../config/load-config.ts'

/** The folder for runs, beside their config. */
export const outputs = 'outputs'

type Where = { name?: string; workDir?: string; outputsIn?: string; shard?: string }

/**
 * The folders that may contain a config's runs. New runs go to the first, `outputs/<name>` beside the config file, so that they are found
 * from any working folder. Earlier versions wrote to the working folder.
 */
export function parentsOf(config: Config | LoadedConfig, { name = 'run', workDir, outputsIn, shard }: Where): [string, ...string[]] {
  const first = workDir ?? join(outputsIn ?? besideConfig(config), outputs, name)
  const parents = workDir === undefined ? [first, join(outputs, name)] : [first]
  const part = shard === undefined ? '.' : shardFolder(readShard(shard))
  return [...new Set(parents.map((parent) => resolve(parent, part)))] as [string, ...string[]]
}

/** Results do not go beside a file that was only converted to a config, such as a model's. */
function besideConfig(config: Config | LoadedConfig): string {
  const hasFile = 'config' in config && config.file !== '' && config.recognised === undefined
  return hasFile ? config.folder : '.'
}

/** Runs of a rolecall.config.* are named after its folder, others after the config file. */
export function runName(file: string): string {
  const own = basename(file).replace(/\.[^.]+$/, '')
  return own === 'rolecall.config' ? basename(dirname(file)) || 'run' : own
}

/** Base folders for relative run paths: the working folder and that of the nearest config. */
export function placesOfRuns(): string[] {
  const config = findConfig(process.cwd())
  return [...new Set([process.cwd(), ...(config === undefined ? [] : [dirname(config)])])]
}
