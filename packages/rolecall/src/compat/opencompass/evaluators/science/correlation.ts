import { mean, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'

/** Pearson's correlation, from -1 to 1; NaN if either input is constant. */
export function pearson(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  const [spreadA, spreadB] = [a.map((one) => one - meanA), b.map((one) => one - meanB)]
  const norm = (values: readonly number[]) => Math.sqrt(sumOf(values.map((one) => one * one)))
  const [lengthA, lengthB] = [norm(spreadA), norm(spreadB)]
  if (lengthA === 0 || lengthB === 0) return Number.NaN
  const value = sumOf(spreadA.map((one, index) => (one / lengthA) * (spreadB[index]! / lengthB)))
  return Math.max(-1, Math.min(1, value))
}

/** Spearman's correlation: Pearson's of the ranks, where ties share a rank. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  return a.length < 2 ? Number.NaN : pearson(ranks(a), ranks(b))
}

function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((one, other) => values[one]! - values[other]!)
  const found: number[] = []
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let at = from; at < to; at++) found[order[at]!] = (from + 1 + to) / 2
    from = to
  }
  return found
}
