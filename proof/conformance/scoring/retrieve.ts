import { Bm25Index, type Bm25Options, highest } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/bm25.ts'
import { diverseRows, dppKernel, likeliestSubset } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/diverse-selection.ts'
import { entropy, exampleSets, surestSet } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/minimum-description.ts'
import { nearestVectors } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/nearest-vectors.ts'
import type { Vectors } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/vector-table.ts'
import { voteK } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/vote-k.ts'
import { bestOf, perplexity } from '../../../packages/rolecall/src/evaluation/run/ask/perplexity.ts'
import { NumpyRandom, PythonRandom } from '../../../packages/rolecall/src/python/library/random.ts'
import { splitSentences } from '../../../packages/rolecall/src/python/word-split/split-sentences.ts'
import { tokenizeLine, tokenizeWords } from '../../../packages/rolecall/src/python/word-split/word-tokenize.ts'
import { plain } from './vector.ts'

const operations: Record<string, (args: never) => unknown> = {
  word_tokenize: ({ text }: { text: string }) => tokenizeWords(text),
  word_tokenize_line: ({ text }: { text: string }) => tokenizeLine(text),
  sent_tokenize: ({ text }: { text: string }) => splitSentences(text),
  bm25_okapi({ corpus, query, n, params }: { corpus: string[][]; query: string[]; n: number; params?: Bm25Options }) {
    const index = new Bm25Index(corpus, params)
    const scores = [...index.scores(query)]
    const idf = Object.fromEntries(corpus.flat().map((word) => [word, index.idf(word)]))
    return { scores, top: highest(scores, n), avgdl: index.averageLength, averageIdf: index.averageIdf, idf }
  },
  bm25_retrieve({ train, test, iceNum }: { train: string[]; test: string[]; iceNum: number }) {
    const index = new Bm25Index(train.map((text) => tokenizeWords(text)))
    const scores = test.map((text) => [...index.scores(tokenizeWords(text))])
    return { ids: scores.map((one) => highest(one, iceNum)), scores }
  },
  topk_search: ({ embeddings, queries, iceNum }: { embeddings: Vectors; queries: Vectors; iceNum: number }) =>
    queries.map((query) => nearestVectors(embeddings, query, iceNum)),
  dpp_map: ({ kernel, k }: { kernel: number[][]; k: number }) => likeliestSubset(kernel, k),
  dpp_kernel({ embeddings, query, candidateNum, scaleFactor, k }: Dpp & { query: number[]; k: number }) {
    const candidates = nearestVectors(embeddings, query, candidateNum)
    const { relevance, kernel } = dppKernel(
      candidates.map((id) => embeddings[id]!),
      query,
      scaleFactor,
    )
    return { candidates, relScores: relevance, kernel, map: likeliestSubset(kernel, k) }
  },
  dpp_retrieve: ({ embeddings, queries, candidateNum, scaleFactor, iceNum }: Dpp & { queries: Vectors; iceNum: number }) =>
    queries.map((query) => diverseRows(embeddings, query, { count: iceNum, candidates: candidateNum, scaleFactor })),
  votek_select: ({ embeddings, selectNum, k, overlapThreshold, pythonSeed }: VoteK) =>
    voteK(embeddings, { count: selectNum, neighbours: k, overlap: overlapThreshold, seed: pythonSeed }),
  py_random_sample: ({ seed, n, k }: Record<'seed' | 'n' | 'k', number>) =>
    new PythonRandom(seed).sample(
      Array.from({ length: n }, (_, index) => index),
      k,
    ),
  mdl_select({ embeddings, queries, iceNum, candidateNum, selectTime, seed, losses }: Mdl) {
    const random = new NumpyRandom(seed)
    const sets = queries.map((query) => {
      const near = nearestVectors(embeddings, query, Math.min(candidateNum, embeddings.length))
      return exampleSets(near, iceNum, selectTime, random)
    })
    return { ids: sets.map((one, query) => surestSet(one, losses[query]!)), candidateSets: sets.flat() }
  },
  mdl_entropy: ({ probs }: { probs: number[] }) => entropy(probs),
  hf_get_ppl: huggingFacePerplexity,
  hf_legacy_get_ppl: huggingFacePerplexity,
  vllm_get_ppl: ({ tokenCounts, logprobs, maskLength }: Scored) =>
    tokenCounts.map((count, text) => lastTokens(logprobs[text]!, maskLength?.[text], count)),
  hf_get_loglikelihood: ({ tokenCounts, logprobs, contTokenCounts }: Continued) =>
    huggingFacePerplexity({ tokenCounts, logprobs, maskLength: contTokenCounts }).map((value) => -value),
  vllm_get_loglikelihood: ({ tokenCounts, logprobs, contTokenCounts }: Continued) =>
    tokenCounts.map((count, text) => -lastTokens(logprobs[text]!, contTokenCounts[text], count)),
  clp_choice({ logits, choiceIds }: { logits: number[]; choiceIds: number[] }) {
    const weights = choiceIds.map((id) => Math.exp(logits[id]! - Math.max(...logits)))
    const sum = weights.reduce((all, one) => all + one, 0)
    const labels = weights.map((weight, label) => ({ label, value: weight }))
    return { probs: weights.map((weight) => weight / sum), predLabel: bestOf(labels, 'highest').label }
  },
  ppl_select: ({ labels, ppl }: { labels: string[]; ppl: number[] }) => choose(labels, ppl, 'lowest'),
  ll_select: ({ labels, loglikelihood }: { labels: string[]; loglikelihood: number[] }) => choose(labels, loglikelihood, 'highest'),
}

type Dpp = { embeddings: Vectors; candidateNum: number; scaleFactor: number }
type VoteK = { embeddings: Vectors; selectNum: number; k: number; overlapThreshold: number; pythonSeed: number }
type Mdl = {
  embeddings: Vectors
  queries: Vectors
  iceNum: number
  candidateNum: number
  selectTime: number
  seed: number
  losses: number[][][]
}
type Scored = { tokenCounts: number[]; logprobs: number[][]; maskLength: number[] | null }
type Continued = { tokenCounts: number[]; logprobs: number[][]; contTokenCounts: number[] }

function huggingFacePerplexity({ tokenCounts, logprobs, maskLength }: Scored): number[] {
  return tokenCounts.map((_, text) => perplexity([null, ...logprobs[text]!], maskLength?.[text] ?? 0))
}

/** vLLM's backend divides by all tokens except the first, regardless of the mask, and keeps the last ones. */
function lastTokens(logProbabilities: readonly number[], mask: number | undefined, count: number): number {
  const kept = mask === undefined ? logProbabilities : logProbabilities.slice(-mask)
  return -kept.reduce((sum, one) => sum + one, 0) / (count - 1)
}

function choose(labels: readonly string[], values: readonly number[], best: 'lowest' | 'highest'): string {
  return bestOf(
    labels.map((label, index) => ({ label, value: values[index]! })),
    best,
  ).label
}

/** Vectors of numbers use plain numbers here: 1.0 is 1. */
export const retrieveOperations: Record<string, (args: never) => unknown> = Object.fromEntries(
  Object.entries(operations).map(([op, run]) => [op, (args: never) => run(plain(args) as never)]),
)
