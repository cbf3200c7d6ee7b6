import type { UnusedKey } from '../evaluation/config/unread-keys.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { printReport } from './screen/print-screen.ts'
import { colors, printable, printWarnings } from './terminal.ts'

/** Further places of a key are only counted. */
const maxPlaces = 3

/** Warns about probable mistakes in a config, and about keys without effect. */
export function warnConfig({ config }: Pick<LoadedConfig, 'config'>): void {
  printWarnings(config.warnings)
  printReport(showUnused(config.unused).join('\n'), process.stderr)
}

/** One line per unused key: its places, and why it has no effect. */
export function showUnused(unused: readonly UnusedKey[]): string[] {
  const groups = new Map<string, UnusedKey[]>()
  for (const one of unused) {
    // The same key in many datasets is one line.
    const key = `${one.where.replace(/\[\d+\]/g, '[]')} ${one.why}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map((group) => {
    const places = group.slice(0, maxPlaces).map(({ where }, index) => (index === 0 ? where : where.replace(/^.* › /s, '')))
    const more = group.length > maxPlaces ? ` and ${group.length - maxPlaces} more` : ''
    return `${colors.yellow('not used')} ${printable(places.join(', '))}${more}${colors.dim(`: ${printable(group[0]!.why)}`)}`
  })
}
