/** The settings that a dataset class takes from a config; undefined for an unknown class. */
export type SettingsOfClass = (type: string) => readonly string[] | undefined

const registered = new Set<SettingsOfClass>()

/** Registers the dataset classes of another harness, so that the keys of their datasets can be checked without loading a loader. */
export function registerDatasetClasses(settingsOf: SettingsOfClass): void {
  registered.add(settingsOf)
}

/** The settings of a registered dataset class; undefined for an unregistered class. */
export function settingsOfDatasetClass(type: string): readonly string[] | undefined {
  for (const settingsOf of registered) {
    const settings = settingsOf(type)
    if (settings) return settings
  }
  return undefined
}
