import { type Vectors, VectorTable } from './vector-table.ts'

/**
 * The rows with the highest inner product, in the order of faiss's flat index: a row enters a full list only with more
 * than the lowest, and ties put the later row first. Unfilled places are -1.
 */
export function nearestVectors(rows: Vectors | VectorTable, query: readonly number[], count: number): number[] {
  const products = (rows instanceof VectorTable ? rows : new VectorTable(rows)).products(query)
  const ids: number[] = []
  let worst = 0
  for (let id = 0; id < products.length && count > 0; id++) {
    if (ids.length < count) ids.push(id)
    else if (products[id]! > products[ids[worst]!]!) ids[worst] = id
    else continue
    if (ids.length === count) worst = worstPlace(ids, products)
  }
  const found = ids.sort((a, b) => products[b]! - products[a]! || b - a)
  return [...found, ...new Array<number>(Math.max(0, count - found.length)).fill(-1)]
}

/** Ties go to the first. */
function worstPlace(ids: readonly number[], products: Float64Array): number {
  let worst = 0
  for (let place = 1; place < ids.length; place++) {
    const [score, least] = [products[ids[place]!]!, products[ids[worst]!]!]
    if (score < least || (score === least && ids[place]! < ids[worst]!)) worst = place
  }
  return worst
}
