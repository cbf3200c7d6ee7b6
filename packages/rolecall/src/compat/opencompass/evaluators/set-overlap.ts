import { count } from '../../../evaluation/score/evaluate/shares.ts'

/** The sizes of a set of answers, of the set of gold answers, and of what they share. */
export type SetOverlap = { common: number; said: number; right: number }

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

export function setOverlap(said: ReadonlySet<string>, right: ReadonlySet<string>): SetOverlap {
  return { common: count([...said], (one) => right.has(one)), said: said.size, right: right.size }
}

/** Precision, recall and their harmonic mean; 0 instead of a division by zero. */
export function shares({ common, said, right }: SetOverlap): { precision: number; recall: number; f1: number } {
  const [precision, recall] = [ratio(common, said), ratio(common, right)]
  return { precision, recall, f1: ratio(2 * precision * recall, precision + recall) }
}
