import { NumpyRandom } from '../../../python/library/random.ts'
import { mostSpare, type Retriever, tooMany } from './retriever.ts'

export const randomRetriever: Retriever = {
  name: 'RandomRetriever',
  does: "Random rows for each question, as numpy's legacy generator draws them with this seed (43 by default).",
  options: ['ice_num', 'seed'],
  example: { options: { ice_num: 2 }, shows: [4, 1] },
  open({ texts, where }, { ice_num: count = 1, seed = 43 }) {
    if (count > texts.length) throw tooMany(where, count, texts.length)
    const generator = new NumpyRandom(seed)
    const drawn: number[][] = []
    return {
      count,
      choose({ number, spare }) {
        while (drawn.length <= number) drawn.push(generator.permutation(texts.length).slice(0, count + mostSpare))
        return drawn[number]!.slice(0, count + spare)
      },
    }
  },
}
