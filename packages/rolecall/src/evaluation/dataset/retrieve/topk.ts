import { nearestVectors } from './nearest-vectors.ts'
import { overVectors, type Retriever } from './retriever.ts'

export const topkRetriever: Retriever = {
  name: 'TopkRetriever',
  does: 'The rows whose embeddings have the highest inner product with that of the question.',
  options: ['ice_num'],
  example: { options: { ice_num: 2 }, shows: [1, 0] },
  ...overVectors(
    1,
    (rows, { ice_num: count }) =>
      (query: readonly number[], spare: number) =>
        nearestVectors(rows, query, count + spare).filter((id) => id >= 0),
  ),
}
