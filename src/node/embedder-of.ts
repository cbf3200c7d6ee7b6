import type { DatasetConfig } from '../config/config-schema.ts'
import { type Embedder, endpointEmbedder } from '../retrieve/embedder.ts'
import { nodeClient } from './http-client.ts'

/** What a dataset's retriever gets embeddings from: a function, or an endpoint with a key from the environment. */
export function embedderOf({ infer_cfg: { retriever } }: Pick<DatasetConfig, 'infer_cfg'>): Embedder | undefined {
  const given = retriever?.embeddings
  if (given === undefined || typeof given === 'function') return given
  const key = process.env[given.key_env ?? 'OPENAI_API_KEY']
  // Connections that nobody uses keep no process alive, so that nobody has to close them.
  return endpointEmbedder(given, { client: nodeClient({ connections: 1 }).client, ...(key === undefined ? {} : { key }) })
}
