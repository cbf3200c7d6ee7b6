/** How links name the things of a list: by their names, so that a link means the same when others are added. The second of one name is `name (2)`. */
export function linkNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

/** What a link means: `index` is the first where it names nothing, and `missing` what it names in vain. */
export type Found = { index: number; missing?: string }

/** The thing that a link names. Numbers that nothing is called by are positions: older links had them. */
export function findNamed(names: readonly string[], given: string | undefined): Found {
  if (given === undefined) return { index: 0 }
  const index = linkNames(names).indexOf(given)
  if (index >= 0) return { index }
  if (/^\d+$/.test(given) && Number(given) < names.length) return { index: Number(given) }
  return { index: 0, missing: given }
}

/** A row's number in a link. */
export function findRow(given: string | undefined): Found {
  if (given === undefined) return { index: 0 }
  return /^\d{1,15}$/.test(given) ? { index: Number(given) } : { index: 0, missing: given }
}
