import { PythonRandom } from '../../../python/library/random.ts'
import { nearestRows } from './nearest-rows.ts'
import { mostSpare, overVectors, type Retriever } from './retriever.ts'
import { type Vectors, VectorTable } from './vector-table.ts'

export const votekRetriever: Retriever = {
  name: 'VotekRetriever',
  does: 'The same rows for every question: those that many others are near to (vote-k), filled up at random with this seed.',
  options: ['ice_num', 'votek_k', 'seed'],
  example: { options: { ice_num: 2, votek_k: 2 }, shows: [3, 2] },
  ...overVectors(1, async (rows, { ice_num: count, votek_k: neighbours = 5, seed = 0 }, inSteps) => {
    const near = await inSteps('comparing rows', nearestRows(rows, neighbours + 1), rows.count)
    // A larger count would change vote-k's selection, so the spare rows come after the selected ones.
    const selected = mostVoted(near, { count, overlap: 1, seed })
    const more = mostVoted(near, { count: Math.min(rows.count, count + mostSpare), overlap: 1, seed })
    const all = [...new Set([...selected, ...more])]
    return { whateverIsAsked: (spare) => all.slice(0, count + spare) }
  }),
}

export type VoteKOptions = { count: number; neighbours: number; overlap: number; seed: number }

/** Rows that are near many others, with different neighbours (arXiv 2209.01975); the rest at random. */
export function voteK(rows: Vectors, { neighbours, ...options }: VoteKOptions): number[] {
  const steps = nearestRows(new VectorTable(rows), neighbours + 1)
  for (;;) {
    const { value, done } = steps.next()
    if (done) return mostVoted(value, options)
  }
}

function mostVoted(near: readonly Int32Array[], { count, overlap, seed }: Omit<VoteKOptions, 'neighbours'>): number[] {
  const voters = new Map<number, Set<number>>()
  for (const [id, nearest] of near.entries()) {
    // The nearest row is the row itself, or an equal one.
    for (const other of nearest.subarray(0, -1)) {
      if (other === id) continue
      if (!voters.has(other)) voters.set(other, new Set())
      voters.get(other)!.add(id)
    }
  }
  const ranked = [...voters].sort(([, a], [, b]) => b.size - a.size)
  const selected: number[] = []
  for (const [place, [id, own]] of ranked.entries()) {
    if (selected.length >= count) break
    if (!isCovered(own, ranked, place, overlap)) selected.push(id)
  }
  const taken = new Set(selected)
  const left = near.flatMap((_, id) => (taken.has(id) ? [] : [id]))
  const missing = Math.max(0, Math.min(count - selected.length, left.length))
  return [...selected, ...(missing > 0 ? new PythonRandom(seed).sample(left, missing) : [])]
}

/** Whether a higher-ranked row shares too many voters. */
function isCovered(
  own: ReadonlySet<number>,
  ranked: readonly (readonly [number, ReadonlySet<number>])[],
  place: number,
  overlap: number,
): boolean {
  const needed = overlap * own.size
  for (let before = 0; before < place; before++) {
    const other = ranked[before]![1]
    let [shared, left] = [0, own.size]
    for (const one of own) {
      // The remaining candidates cannot reach the threshold.
      if (shared + left < needed) break
      left--
      if (other.has(one)) shared++
    }
    if (shared >= needed) return true
  }
  return false
}
