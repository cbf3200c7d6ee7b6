import type { Note } from '../../../base/errors/note.ts'
import { type CheckedConfig, checkConfig } from '../../../evaluation/config/check-config.ts'
import { checkRoles } from '../../../evaluation/config/check-roles.ts'
import { checkNames } from '../../../evaluation/run/check-names.ts'
import { registerPlugIns } from '../plug-ins.ts'
import { withPresets } from './with-presets.ts'

registerPlugIns()

/** Expands the presets of a user's config and runs every check that needs neither data nor models. */
export function checkGiven(config: unknown, folder: string, where: string): CheckedConfig {
  const notes: Note[] = []
  const checked = checkConfig(withPresets(config, folder, where, notes), where)
  const { warnings, unused } = checkNames(checked, where)
  const roles = checkRoles(checked, where)
  return { ...checked, warnings: [...notes, ...checked.warnings, ...warnings, ...roles], unused: [...checked.unused, ...unused] }
}
