import { byClassName } from './by-class-name.ts'
import { takenSettings } from './taken-settings.ts'

let find: ((type: string) => readonly string[] | undefined) | undefined

/**
 * The settings that an OpenCompass dataset class accepts, `*` for any other, from a table: checking a config loads no loader.
 *
 * @example
 * settingsOfClass('opencompass.datasets.MMLUDataset') // => ['path', 'name', '*']
 * settingsOfClass('NoSuchDataset') // => undefined
 */
export function settingsOfClass(type: string): readonly string[] | undefined {
  find ??= byClassName(readTable())
  return find(type)
}

function readTable(): Record<string, readonly string[]> {
  const lines = takenSettings.trim().split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [settings, names] = line.split(': ') as [string, string]
      return names.split(' ').map((name) => [name, settings.split(' ')])
    }),
  )
}
