type Match = { a: number; b: number; size: number }

/**
 * How similar two texts are, from 0 to 1, as `difflib.SequenceMatcher(None, a, b).ratio()` in Python. In texts of 200 characters or more,
 * characters that occur often in `b` start no match.
 *
 * @example
 * matchRatio('abcd', 'bcde') // => 0.75
 */
export function matchRatio(a: string, b: string): number {
  const [first, second] = [[...a], [...b]]
  const length = first.length + second.length
  return length === 0 ? 1 : (2 * matchedLength(first, second)) / length
}

function matchedLength(a: readonly string[], b: readonly string[]): number {
  const places = placesOf(b)
  const open = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }]
  let matched = 0
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const { aFrom, aTo, bFrom, bTo } = range
    const { a: atA, b: atB, size } = longestMatch(a, b, places, range)
    if (size === 0) continue
    matched += size
    if (aFrom < atA && bFrom < atB) open.push({ aFrom, aTo: atA, bFrom, bTo: atB })
    if (atA + size < aTo && atB + size < bTo) open.push({ aFrom: atA + size, aTo, bFrom: atB + size, bTo })
  }
  return matched
}

/** Where each character occurs, without the popular ones of a long text. */
function placesOf(text: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, character] of text.entries()) {
    const known = places.get(character)
    if (known) known.push(at)
    else places.set(character, [at])
  }
  const most = Math.floor(text.length / 100) + 1
  if (text.length >= 200) for (const [character, found] of places) if (found.length > most) places.delete(character)
  return places
}

type Range = { aFrom: number; aTo: number; bFrom: number; bTo: number }

/** The longest match in a range: of several, the one that starts first in `a`, then in `b`. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { aFrom, aTo, bFrom, bTo }: Range,
): Match {
  const best: Match = { a: aFrom, b: bFrom, size: 0 }
  let lengths = new Map<number, number>()
  for (let at = aFrom; at < aTo; at++) {
    const next = new Map<number, number>()
    for (const place of places.get(a[at]!) ?? []) {
      if (place < bFrom) continue
      if (place >= bTo) break
      const size = (lengths.get(place - 1) ?? 0) + 1
      next.set(place, size)
      if (size > best.size) Object.assign(best, { a: at - size + 1, b: place - size + 1, size })
    }
    lengths = next
  }
  // Popular characters start no match, but extend one.
  while (best.a > aFrom && best.b > bFrom && a[best.a - 1] === b[best.b - 1])
    Object.assign(best, { a: best.a - 1, b: best.b - 1, size: best.size + 1 })
  while (best.a + best.size < aTo && best.b + best.size < bTo && a[best.a + best.size] === b[best.b + best.size]) best.size++
  return best
}
