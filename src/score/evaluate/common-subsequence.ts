/** Lengths of the longest common subsequence of every two beginnings. */
export function commonLengths<Item>(a: readonly Item[], b: readonly Item[]): Uint32Array[] {
  const table = [new Uint32Array(b.length + 1)]
  for (const [row, item] of a.entries()) {
    const previous = table[row]!
    const current = new Uint32Array(b.length + 1)
    for (let column = 0; column < b.length; column++) {
      current[column + 1] = item === b[column] ? previous[column]! + 1 : Math.max(previous[column + 1]!, current[column]!)
    }
    table.push(current)
  }
  return table
}

export function commonLength<Item>(a: readonly Item[], b: readonly Item[]): number {
  return commonLengths(a, b)[a.length]![b.length]!
}

/** The places in `a` of a longest common subsequence: the one that google-research's rouge finds. */
export function commonPlaces<Item>(a: readonly Item[], b: readonly Item[]): number[] {
  const table = commonLengths(a, b)
  const places: number[] = []
  let [row, column] = [a.length, b.length]
  while (row > 0 && column > 0) {
    if (a[row - 1] === b[column - 1]) {
      places.push(row - 1)
      row--
      column--
    } else if (table[row]![column - 1]! > table[row - 1]![column]!) column--
    else row--
  }
  return places.reverse()
}
