import { PromptError } from '../prompt-error.ts'
import { suggestName } from './nearest.ts'

/** `--models a,b`: the entries of these names, in this order; all when none are named. */
export function selectByName<Entry extends { abbr?: string }>(entries: readonly Entry[], names: string | undefined, flag: string): Entry[] {
  if (names === undefined) return [...entries]
  const known = entries.map((entry, index) => entry.abbr ?? String(index))
  return names.split(',').map((name) => {
    const index = known.indexOf(name.trim())
    if (index >= 0) return entries[index]!
    throw new PromptError('unknown-name', { where: flag, problem: `there is no "${name.trim()}"`, fix: suggestName(name.trim(), known) })
  })
}
