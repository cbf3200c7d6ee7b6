import type { DatasetConfig } from '../config/config-schema.ts'
import { type Embedder, endpointEmbedder } from '../retrieve/embedder.ts'

/** What a dataset's retriever gets embeddings from: a function, or an endpoint with a key from the environment. */
export function embedderOf({ infer_cfg: { retriever } }: Pick<DatasetConfig, 'infer_cfg'>): Embedder | undefined {
  const given = retriever?.embeddings
  if (given === undefined || typeof given === 'function') return given
  const { key_env: name = 'OPENAI_API_KEY', base_url, model, batch_size } = given
  const key = process.env[name]
  return endpointEmbedder(
    { base_url, model, ...(batch_size === undefined ? {} : { batch_size }) },
    { fetch: globalThis.fetch, ...(key === undefined ? {} : { key }) },
  )
}
