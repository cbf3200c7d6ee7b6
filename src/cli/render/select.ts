import { suggestName } from '../../config/nearest.ts'
import { PromptError } from '../../prompt-error.ts'

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

/** `--rows 0-4,7`: row numbers, in order. */
export function parseRows(rows: string): number[] {
  const numbers = rows.split(',').flatMap((part) => {
    const range = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part)
    const first = Number(range?.[1])
    const last = range?.[2] === undefined ? first : Number(range[2])
    if (!range || last < first) {
      throw new PromptError('bad-rows', {
        where: '--rows',
        problem: `"${part.trim()}" is not a row number or a range`,
        fix: 'write e.g. --rows 0-4,7',
      })
    }
    if (last - first >= 100_000)
      throw new PromptError('bad-rows', {
        where: '--rows',
        problem: `"${part.trim()}" is more than can be looked at`,
        fix: 'choose fewer rows',
      })
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(numbers)].sort((a, b) => a - b)
}
