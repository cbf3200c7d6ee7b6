/** A seeded sample of the items, in their original order. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const next = mulberry32(seed)
  const positions = items.map((_, index) => index)
  for (let index = positions.length - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1))
    ;[positions[index], positions[other]] = [positions[other]!, positions[index]!]
  }
  return positions
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((position) => items[position]!)
}

/** Random numbers from 0 to 1, the same for the same seed on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
