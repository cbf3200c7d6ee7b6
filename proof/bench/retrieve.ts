import { Bm25Index } from '../../packages/rolecall/src/evaluation/dataset/retrieve/bm25.ts'
import { tokenizeWords } from '../../packages/rolecall/src/python/word-split/word-tokenize.ts'
import { sized } from './sizes.ts'

export type RetrievalMeasurement = { rows: number; queries: number; indexSeconds: number; querySeconds: number }

const words = 'the of what is a in how many which who was to when did for that on are with year city river name largest first'.split(' ')

/** Questions like those of a benchmark: some very common words, some rare ones, punctuation. Deterministic. */
function questions(count: number): string[] {
  let state = 1
  const next = (limit: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % limit
  }
  return Array.from({ length: count }, () => {
    const parts = Array.from({ length: 8 + next(10) }, () => (next(5) < 3 ? words[next(words.length)]! : `word${next(30_000)}`))
    return `${parts.join(' ')}, isn't it${next(2) ? '?' : '.'}`
  })
}

/** BM25 as in a run: 100,000 example rows, 1,000 questions, five examples each. */
export function measureRetrieval(rows = sized(100_000, 200), queries = sized(1000, 5)): RetrievalMeasurement {
  const texts = questions(rows)
  const asked = questions(queries)
  const begin = performance.now()
  const index = new Bm25Index(texts.map((text) => tokenizeWords(text)))
  const built = performance.now()
  let found = 0
  for (const text of asked) found += index.nearest(tokenizeWords(text), 5).length
  const done = performance.now()
  if (found !== 5 * queries) throw new Error('not every question found five rows')
  return { rows, queries, indexSeconds: (built - begin) / 1000, querySeconds: (done - built) / 1000 }
}
