/** Names list items in links by name, so that links stay valid when items are added. The second item of a name is `name (2)`. */
export function linkNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

/** The item a link refers to: `index` is 0 if it is unknown, and `missing` its name. */
export type Found = { index: number; missing?: string }

/** Resolves a name from a link. Numbers that match no name are positions, as in older links. */
export function findNamed(names: readonly string[], given: string | undefined): Found {
  if (given === undefined) return { index: 0 }
  const index = linkNames(names).indexOf(given)
  if (index >= 0) return { index }
  if (/^\d+$/.test(given) && Number(given) < names.length) return { index: Number(given) }
  return { index: 0, missing: given }
}

/** Parses a row number from a link. */
export function findRow(given: string | undefined): Found {
  if (given === undefined) return { index: 0 }
  return /^\d{1,15}$/.test(given) ? { index: Number(given) } : { index: 0, missing: given }
}
