/** A statement or an expression; a name has a `name`. */
type Part = { kind: string; name?: unknown }

/** All statements and expressions inside a tree. */
export function partsOf(tree: unknown): Part[] {
  if (typeof tree !== 'object' || tree === null) return []
  const own = 'kind' in tree ? [tree as Part] : []
  return [...own, ...Object.values(tree).flatMap(partsOf)]
}
