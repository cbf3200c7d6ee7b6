import type { NumpyRandom } from '../python/index.ts'

/** Sets of examples to try for one question: the nearest rows, then random ones of the candidates. */
export function exampleSets(near: readonly number[], count: number, tries: number, random: NumpyRandom): number[][] {
  return Array.from({ length: tries }, (_, attempt) =>
    attempt === 0 ? near.slice(0, count) : random.choiceWithout(near.length, count).map((place) => near[place]!),
  )
}

/** The set with which a model is the surest of its label (arXiv 2212.10375): the first with the least entropy. */
export function surestSet<Set_>(sets: readonly Set_[], losses: readonly (readonly number[])[]): Set_ {
  const certainty = losses.map((one) => -entropy(softmax(one.map((loss) => -loss))))
  let best = 0
  for (const [place, value] of certainty.entries()) if (value > certainty[best]!) best = place
  return sets[best]!
}

function softmax(values: readonly number[]): number[] {
  const weights = values.map(Math.exp)
  const sum = weights.reduce((all, one) => all + one, 0)
  return weights.map((weight) => weight / sum)
}

/** In nats; what has no probability at all makes it no number, as in the reference. */
export function entropy(probabilities: readonly number[]): number {
  return -probabilities.reduce((sum, one) => sum + one * Math.log(one), 0)
}
