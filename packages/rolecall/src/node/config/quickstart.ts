import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../own-files.ts'

/** The config used without a config. */
export const quickstart = fileURLToPath(packageFile('quickstart/rolecall.config.yaml'))

/** The file of a config argument: `quickstart` names the shipped config, unless a file is called so. */
export function configFile(name: string): string {
  return name === 'quickstart' && !existsSync(name) ? quickstart : name
}
