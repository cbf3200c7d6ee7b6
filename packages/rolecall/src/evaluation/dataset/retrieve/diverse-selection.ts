import { nearestVectors } from './nearest-vectors.ts'
import { overVectors, type Retriever } from './retriever.ts'
import { innerProduct, type Vectors, VectorTable } from './vector-table.ts'

export const dppRetriever: Retriever = {
  name: 'DPPRetriever',
  does: 'Of the candidate_num nearest rows those that are near and differ from each other (a determinantal point process).',
  options: ['ice_num', 'candidate_num', 'scale_factor'],
  example: { options: { ice_num: 2, candidate_num: 3 }, shows: [1, 3] },
  ...overVectors(
    8,
    (rows, { ice_num: count, candidate_num: candidates = 24, scale_factor: scaleFactor = 0.1 }) =>
      (query: readonly number[], spare: number) =>
        diverseRows(rows, query, { count: count + spare, candidates: candidates + spare, scaleFactor }),
  ),
}

export type DppOptions = { count: number; candidates: number; scaleFactor: number }

/**
 * Near the question and far from each other: a determinantal point process over the nearest rows (arXiv 2302.05698). If
 * the remaining rows add nothing, e.g. duplicates of chosen rows, the nearest follow.
 */
export function diverseRows(
  rows: Vectors | VectorTable,
  query: readonly number[],
  { count, candidates, scaleFactor }: DppOptions,
): number[] {
  const near = nearestVectors(rows, query, candidates).filter((id) => id >= 0)
  const { relevance, kernel } = dppKernel(
    near.map((id) => (rows instanceof VectorTable ? Array.from(rows.row(id)) : rows[id]!)),
    query,
    scaleFactor,
  )
  const places = near.map((_, place) => place)
  return [...new Set([...untilRepeated(likeliestSubset(kernel, count)), ...places])]
    .slice(0, count)
    .map((place, order) => ({ place, order }))
    .sort((a, b) => relevance[b.place]! - relevance[a.place]! || a.order - b.order)
    .map(({ place }) => near[place]!)
}

function untilRepeated(places: readonly number[]): readonly number[] {
  const end = places.findIndex((place, index) => places.indexOf(place) < index)
  return end < 0 ? places : places.slice(0, end)
}

/** The relevance of each candidate, and the similarity of any two. */
export function dppKernel(candidates: Vectors, query: readonly number[], scaleFactor: number): { relevance: number[]; kernel: number[][] } {
  const unit = normalized(query)
  const rows = candidates.map(normalized)
  const near = rows.map((row) => (innerProduct(unit, row) + 1) / 2)
  const most = Math.max(...near)
  const relevance = near.map((one) => Math.exp((one - most) / (2 * scaleFactor)))
  const kernel = rows.map((row, i) => rows.map((other, j) => relevance[j]! * ((innerProduct(row, other) + 1) / 2) * relevance[i]!))
  return { relevance, kernel }
}

function normalized(vector: readonly number[]): number[] {
  const length = Math.sqrt(innerProduct(vector, vector))
  return vector.map((one) => one / length)
}

/** Greedy maximum a posteriori inference (Chen et al., 2018); it may repeat an item if nothing else adds a gain. */
export function likeliestSubset(kernel: readonly (readonly number[])[], count: number): number[] {
  const most = Math.min(count, kernel.length)
  const gains = kernel.map((row, item) => row[item]!)
  const bases: number[][] = []
  const selected = [firstMaximum(gains)]
  while (selected.length < most) {
    const last = selected.at(-1)!
    const weights = bases.map((basis) => basis[last]!)
    // A gain of zero would divide by zero.
    const root = Math.sqrt(gains[last]!) || (Number.isNaN(Math.sqrt(gains[last]!)) ? Number.NaN : 1e-10)
    const basis = kernel[last]!.map((value, item) => {
      const known = bases.reduce((sum, one, index) => sum + weights[index]! * one[item]!, 0)
      return (value - known) / root
    })
    bases.push(basis)
    for (const [item, value] of basis.entries()) gains[item]! -= value * value
    selected.push(firstMaximum(gains))
  }
  return selected
}

/** numpy's argmax: NaN counts as the maximum. */
function firstMaximum(values: readonly number[]): number {
  let best = 0
  for (const [place, value] of values.entries()) {
    if (Number.isNaN(value)) return place
    if (value > values[best]!) best = place
  }
  return best
}
