/** Rows or questions as lists of numbers. */
export type Vectors = readonly (readonly number[])[]

export function innerProduct(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}

/**
 * The rows with the highest inner product, as faiss's flat index holds them: a row enters a full list only with more
 * than the worst one has, and of equal ones the last comes first. Places that no row fills are -1.
 */
export function nearestVectors(rows: Vectors, query: readonly number[], count: number): number[] {
  const held: { id: number; score: number }[] = []
  for (const [id, row] of rows.entries()) {
    const score = innerProduct(row, query)
    if (held.length < count) held.push({ id, score })
    else {
      const worst = held.reduce((least, one, place) => {
        const other = held[least]!
        return one.score < other.score || (one.score === other.score && one.id < other.id) ? place : least
      }, 0)
      if (count > 0 && score > held[worst]!.score) held[worst] = { id, score }
    }
  }
  const found = held.sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id)
  return [...found, ...new Array<number>(Math.max(0, count - found.length)).fill(-1)]
}
