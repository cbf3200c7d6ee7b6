import { NumpyRandom } from '../../../python/library/random.ts'
import { nearestVectors } from './nearest-vectors.ts'
import { QuestionEmbedder } from './question-embedder.ts'
import { embedRows, noEmbeddings, type Retriever, tooMany } from './retriever.ts'

export const mdlRetriever: Retriever = {
  name: 'MDLRetriever',
  does: 'Of select_time sets of near rows the one with which ce_model is the surest of its label (arXiv 2212.10375).',
  options: ['ice_num', 'candidate_num', 'select_time', 'seed'],
  example: { options: { ice_num: 2, candidate_num: 3 }, shows: [1, 3] },
  needsEmbeddings: true,
  needsModel: true,
  needsCount: true,
  async open(given, { ice_num: count = 1, candidate_num: candidates = 30, select_time: tries = 5, seed = 1 }) {
    const { texts, embed, losses, where } = given
    if (!embed) throw noEmbeddings(where)
    if (count > texts.length) throw tooMany(where, count, texts.length)
    const rows = await embedRows(given, embed)
    const questions = new QuestionEmbedder(embed)
    const size = Math.min(candidates, rows.count)
    const random = new NumpyRandom(seed)
    const drawn: number[][][] = []
    return {
      count,
      foresee: (texts) => questions.foresee(texts),
      async choose({ text, number, row = {}, own = [] }) {
        // The sample for a row depends only on its index, not on the order of rows.
        while (drawn.length <= number)
          drawn.push(Array.from({ length: tries - 1 }, () => random.choiceWithout(size, Math.min(count, size))))
        const nearest = nearestVectors(rows, await questions.vectorOf(text), size + own.length).filter((id) => id >= 0 && !own.includes(id))
        const near = nearest.slice(0, size)
        // Where the labels have one text, all sets are equally sure, and the first is taken.
        if (!losses) return near.slice(0, count)
        const sets = [near.slice(0, count), ...drawn[number]!.map((places) => places.flatMap((place) => near[place] ?? []))]
        const tried: (readonly number[])[] = []
        for (const set of sets) tried.push(await losses(row, set))
        return surestSet(sets, tried)
      },
    }
  },
}

/** Candidate sets of examples for one question: the nearest rows, then random ones. */
export function exampleSets(near: readonly number[], count: number, tries: number, random: NumpyRandom): number[][] {
  return Array.from({ length: tries }, (_, attempt) =>
    attempt === 0 ? near.slice(0, count) : random.choiceWithout(near.length, count).map((place) => near[place]!),
  )
}

/** The set with which a model is most certain of its label (arXiv 2212.10375): the first with the lowest entropy. */
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

/** In nats; a probability of zero makes it NaN, as in the reference. */
export function entropy(probabilities: readonly number[]): number {
  return -probabilities.reduce((sum, one) => sum + one * Math.log(one), 0)
}
