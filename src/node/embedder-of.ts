import type { DatasetConfig } from '../config/config-schema.ts'
import type { HttpClient } from '../http/http-client.ts'
import { type Embedder, endpointEmbedder } from '../retrieve/embedder.ts'

/** What a dataset's retriever gets embeddings from: a function, or an endpoint with a key from the environment. */
export function embedderOf({ infer_cfg: { retriever } }: Pick<DatasetConfig, 'infer_cfg'>): Embedder | undefined {
  const given = retriever?.embeddings
  if (given === undefined || typeof given === 'function') return given
  const key = process.env[given.key_env ?? 'OPENAI_API_KEY']
  return endpointEmbedder(given, { client: clientWhenNeeded(), ...(key === undefined ? {} : { key }) })
}

/** Most runs embed nothing, and undici takes a while to load. Connections that nobody uses keep no process alive: nobody has to close them. */
function clientWhenNeeded(): HttpClient {
  let made: Promise<HttpClient> | undefined
  return async (request) => {
    made ??= import('./http-client.ts').then(({ nodeClient }) => nodeClient({ connections: 1 }).client)
    return (await made)(request)
  }
}
