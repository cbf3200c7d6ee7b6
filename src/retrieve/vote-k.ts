import { PythonRandom } from '../python/index.ts'
import { innerProduct, type Vectors } from './nearest-vectors.ts'
import { mostSpare, overVectors, type Retriever } from './retriever.ts'

export const votekRetriever: Retriever = {
  name: 'VotekRetriever',
  does: 'The same rows for every question: those that many others are near to (vote-k), filled up at random with this seed.',
  options: ['ice_num', 'votek_k', 'seed'],
  example: { options: { ice_num: 2, votek_k: 2 }, shows: [3, 2] },
  ...overVectors(1, (rows, { ice_num: count, votek_k: neighbours = 5, seed = 0 }) => {
    // Asked for more, vote-k would choose others: the spare ones come after those that it chooses.
    const selected = voteK(rows, { count, neighbours, overlap: 1, seed })
    const more = voteK(rows, { count: Math.min(rows.length, count + mostSpare), neighbours, overlap: 1, seed })
    const all = [...new Set([...selected, ...more])]
    return (_, spare) => all.slice(0, count + spare)
  }),
}

export type VoteKOptions = { count: number; neighbours: number; overlap: number; seed: number }

/** Rows that many others are near to, and that do not stand for the same others (arXiv 2209.01975); the rest at random. */
export function voteK(rows: Vectors, { count, neighbours, overlap, seed }: VoteKOptions): number[] {
  const voters = new Map<number, Set<number>>()
  const lengths = rows.map((row) => Math.sqrt(innerProduct(row, row)) || 1)
  for (const [id, row] of rows.entries()) {
    const scores = rows.map((other, place) => innerProduct(other, row) / lengths[place]! / lengths[id]!)
    const order = scores.map((_, place) => place).sort((a, b) => scores[a]! - scores[b]! || a - b)
    // The nearest of all is the row itself, or one that equals it.
    for (const near of order.slice(-neighbours - 1, -1)) {
      if (near === id) continue
      if (!voters.has(near)) voters.set(near, new Set())
      voters.get(near)!.add(id)
    }
  }
  const ranked = [...voters].sort(([, a], [, b]) => b.size - a.size)
  const selected: number[] = []
  for (const [place, [id, own]] of ranked.entries()) {
    if (selected.length >= count) break
    const isCovered = ranked.slice(0, place).some(([, other]) => [...own].filter((one) => other.has(one)).length >= overlap * own.size)
    if (!isCovered) selected.push(id)
  }
  const left = rows.map((_, id) => id).filter((id) => !selected.includes(id))
  const missing = Math.max(0, Math.min(count - selected.length, left.length))
  return [...selected, ...(missing > 0 ? new PythonRandom(seed).sample(left, missing) : [])]
}
