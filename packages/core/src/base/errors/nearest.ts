/**
 * The known name that a misspelt one most likely means, if any is near: a different case, one typo per three letters.
 *
 * @example
 * nearestName('fallback_roles', ['role', 'fallback_role']) // => 'fallback_role'
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const distance = foldName(candidate) === foldName(name) ? 0 : editDistance(foldName(name), foldName(candidate))
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best !== undefined && bestDistance <= Math.max(1, Math.floor(Math.max(name.length, best.length) / 4)) && best !== name
    ? best
    : undefined
}

/** `did you mean "x"?` if a name is near, else the list of known names. */
export function suggestName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return near === undefined ? `use one of: ${known.join(', ')}` : `did you mean "${near}"?`
}

/** A name without spelling variants: case, hyphens, underscores, spaces. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** Edit distance with transpositions of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  // Names that far apart cannot be near, and hostile input must not cost quadratic time.
  if (Math.abs(a.length - b.length) > 8 || a.length > 64) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      current.push(cost)
    }
    before = previous
    previous = current
  }
  return previous[b.length]!
}
