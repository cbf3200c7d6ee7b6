/** The position of a row number in a sorted list. */
export function placeOf(ids: readonly number[], id: number): number | undefined {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? low : undefined
}
