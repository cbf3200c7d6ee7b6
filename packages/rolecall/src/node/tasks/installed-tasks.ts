import { type InstalledPackage, installedPackage } from '../installed-package.ts'

/** The task folder of the `lm_eval` in the active Python environment. */
export function installedTasks(environment = process.env): InstalledPackage {
  return installedPackage('lm_eval', 'tasks', environment)
}
