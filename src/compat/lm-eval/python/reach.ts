import { NameRef, UserFunction } from '../../../base/python/interpreter/values.ts'

/** A statement or an expression; a name has a `name`. */
type Part = { kind: string; name?: unknown }

/** All statements and expressions inside a tree. */
export function partsOf(tree: unknown): Part[] {
  if (typeof tree !== 'object' || tree === null) return []
  const own = 'kind' in tree ? [tree as Part] : []
  return [...own, ...Object.values(tree).flatMap(partsOf)]
}

/** Whether a function, or one that it names, names something of an unsupported library. */
export function reachesLibrary(from: UserFunction, library: string, seen: Set<UserFunction> = new Set()): boolean {
  if (seen.has(from)) return false
  seen.add(from)
  return partsOf(from.body).some(({ kind, name }) => {
    const named = kind === 'name' && typeof name === 'string' ? from.scope.get(name) : undefined
    if (named instanceof NameRef) return named.path === library || named.path.startsWith(`${library}.`)
    return named instanceof UserFunction && reachesLibrary(named, library, seen)
  })
}
