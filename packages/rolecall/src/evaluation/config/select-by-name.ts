import { PromptError, suggestName } from '@rolecall/core/internal/errors'

/** `--models a,b*`: the entries with these names or patterns (`*`, `?`, `[ab]`), in this order; all by default. */
export function selectByName<Entry extends { abbr?: string }>(entries: readonly Entry[], names: string | undefined, flag: string): Entry[] {
  if (names === undefined) return [...entries]
  const known = entries.map((entry, index) => entry.abbr ?? String(index))
  const wanted = names.split(',').map((name) => name.trim())
  refuseTwice(wanted, flag)
  const chosen = wanted.flatMap((name) => {
    const index = known.indexOf(name)
    if (index >= 0) return entries[index]!
    const pattern = namePattern(name)
    const matches = entries.filter((_, at) => pattern?.test(known[at]!))
    if (matches.length > 0) return matches
    throw new PromptError('unknown-name', { where: flag, problem: `there is no "${name}"`, fix: suggestName(name, known) })
  })
  return [...new Set(chosen)]
}

/** An entry that is named twice would run twice and be recorded under one name. */
export function refuseTwice(names: readonly string[], flag: string): void {
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice === undefined) return
  throw new PromptError('duplicate-name', { where: flag, problem: `"${twice}" is named twice`, fix: 'name it once' })
}

/** A pattern of names as in Python's fnmatch (`*`, `?`, `[ab]`, `[!ab]`); undefined if the text has none of its characters. */
export function namePattern(text: string): RegExp | undefined {
  if (!/[*?[]/.test(text)) return undefined
  const parts = text.match(/\[!?\]?[^\]]*\]|[\s\S]/gu) ?? []
  const expressions = parts.map((part) => {
    if (part === '*') return '.*'
    if (part === '?') return '.'
    if (part.length < 3) return part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
    const [, negated, inside] = /^\[(!?)([\s\S]*)\]$/u.exec(part)!
    return `[${negated ? '^' : ''}${inside!.replace(/[\\\]^[]/g, '\\$&')}]`
  })
  return new RegExp(`^${expressions.join('')}$`, 'su')
}
