/** Picks items from a sequence in a single pass. */
export type Picking<Item> = {
  /** Visits the next item; false if no later one is needed. */
  look(item: Item): boolean
  /** The number of visited items. */
  seen(): number
  /** The items at the requested places; places beyond the sequence are omitted. */
  found(): Map<number, Item>
}

/**
 * Picks the items at these places; negative ones count from the end. Keeps only as many items as may be needed.
 *
 * @example
 * const picking = pickPlaces([0, -1])
 * for (const item of ['a', 'b', 'c']) picking.look(item)
 * picking.found() // => new Map([[0, 'a'], [-1, 'c']])
 */
export function pickPlaces<Item>(places: readonly number[]): Picking<Item> {
  const wanted = new Set(places)
  const last = places.reduce((most, place) => Math.max(most, place), -1)
  const fromEnd = -places.reduce((least, place) => Math.min(least, place), 0)
  const picked = new Map<number, Item>()
  const tail: Item[] = []
  let seen = 0
  return {
    look(item) {
      if (wanted.has(seen)) picked.set(seen, item)
      if (fromEnd > 0 && tail.push(item) > fromEnd) tail.shift()
      return seen++ < last || fromEnd > 0
    },
    seen: () => seen,
    found() {
      const found = new Map(picked)
      for (const place of wanted) if (place < 0 && -place <= tail.length) found.set(place, tail.at(place)!)
      return found
    },
  }
}
