// `rolecall/datasets`: the prompts of a dataset's rows, with examples that are retrieved and fit.

export * from '@rolecall/core/datasets'
export { Bm25Index, type Bm25Options } from './evaluation/dataset/retrieve/bm25.ts'
export { type Embedder, endpointEmbedder } from './evaluation/dataset/retrieve/embedder.ts'
export { retrievers } from './evaluation/dataset/retrieve/retrievers.ts'
export { perplexity } from './evaluation/run/ask/perplexity.ts'
export { tokenizeWords } from './python/word-split/word-tokenize.ts'
