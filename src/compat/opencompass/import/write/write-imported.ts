import type { ImportedConfig } from '../import-config.ts'
import { writeTypeScript } from './write-typescript.ts'
import { writeYaml } from './write-yaml.ts'

export const configKinds = ['ts', 'json', 'yaml'] as const
export type ConfigKind = (typeof configKinds)[number]

export type Writable = Pick<ImportedConfig, 'config' | 'remarks'>

/** Writes an imported config as a Rolecall config file. JSON cannot hold comments. */
export function writeImported({ config, remarks }: Writable, kind: ConfigKind, from: string): string {
  const shown = Object.fromEntries(Object.entries(config).filter(([, entries]) => !Array.isArray(entries) || entries.length > 0))
  switch (kind) {
    case 'ts':
      return writeTypeScript(shown, remarks, from)
    case 'yaml':
      return writeYaml(shown, remarks, from)
    case 'json':
      return `${JSON.stringify(shown, null, 2)}\n`
    default:
      return kind satisfies never
  }
}
