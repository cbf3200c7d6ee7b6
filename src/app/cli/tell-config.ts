import type { UnusedKey } from '../../evaluation/config/unread-keys.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { colors, printable, warnBeside } from './terminal.ts'

/** More places of one key are only counted. */
const mostPlaces = 3

/** Tells what in a config is legal and probably not meant, and what nothing reads: beside the output, in the same words by every command. */
export function tellConfig({ config }: Pick<LoadedConfig, 'config'>): void {
  warnBeside(config.warnings)
  for (const line of showUnused(config.unused)) process.stderr.write(`${line}\n`)
}

/** A line for each key that nothing reads: where it stands, and why it is not read. */
export function showUnused(unused: readonly UnusedKey[]): string[] {
  const groups = new Map<string, UnusedKey[]>()
  for (const one of unused) {
    // The same key of many datasets is one line.
    const key = `${one.where.replace(/\[\d+\]/g, '[]')} ${one.why}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map((group) => {
    const places = group.slice(0, mostPlaces).map(({ where }, index) => (index === 0 ? where : where.replace(/^.* › /s, '')))
    const more = group.length > mostPlaces ? ` and ${group.length - mostPlaces} more` : ''
    return `${colors.yellow('not used')} ${printable(places.join(', '))}${more}${colors.dim(`: ${printable(group[0]!.why)}`)}`
  })
}
