import { nearestName, suggestName } from '@rolecall/core/internal/errors'
import * as z from '@rolecall/core/internal/schema'

type Named = { readonly names: readonly string[] }

/** The options of an entry without options. */
export const noOptions = z.strictObject({})

/** Adds entries under each of their names. Adding an entry again changes nothing; two entries with one name are a bug. */
export function registerByName<Entry extends Named>(registry: Map<string, Entry>, entries: readonly Entry[]): void {
  for (const entry of entries) {
    for (const name of entry.names) {
      if ((registry.get(name) ?? entry) !== entry) throw new Error(`"${name}" is registered twice`)
      registry.set(name, entry)
    }
  }
}

/** The fix for an unknown name. If only core entries are registered, the name may be one that `rolecall/opencompass` would add. */
export function suggestEntry(name: string, registry: ReadonlyMap<string, Named>, core: readonly Named[], ifNoneIsNear?: string): string {
  const names = [...registry.keys()]
  const suggestion = (nearestName(name, names) === undefined && ifNoneIsNear) || suggestName(name, names)
  if (registry.size > core.flatMap(({ names }) => names).length) return suggestion
  return `import 'rolecall/opencompass' if the name is OpenCompass's; otherwise ${suggestion}`
}

/** The entries among the exports of modules, which also export functions for other modules. Only entries have the property `key`. */
export function entriesIn<Entry extends Named>(key: keyof Entry & string, modules: readonly object[]): Entry[] {
  const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && 'names' in value && key in value
  return modules.flatMap((module) => Object.values(module).filter(isEntry))
}
