import { suggestName } from '../../base/errors/nearest.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'

/** `--models a,b`: the entries with these names, in this order; all by default. */
export function selectByName<Entry extends { abbr?: string }>(entries: readonly Entry[], names: string | undefined, flag: string): Entry[] {
  if (names === undefined) return [...entries]
  const known = entries.map((entry, index) => entry.abbr ?? String(index))
  const wanted = names.split(',').map((name) => name.trim())
  refuseTwice(wanted, flag)
  return wanted.map((name) => {
    const index = known.indexOf(name)
    if (index >= 0) return entries[index]!
    throw new PromptError('unknown-name', { where: flag, problem: `there is no "${name}"`, fix: suggestName(name, known) })
  })
}

/** An entry that is named twice would run twice and be recorded under one name. */
export function refuseTwice(names: readonly string[], flag: string): void {
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice === undefined) return
  throw new PromptError('duplicate-name', { where: flag, problem: `"${twice}" is named twice`, fix: 'name it once' })
}
