import { join } from 'node:path'
import type { DatasetConfig } from '../../../evaluation/config/config-schema.ts'
import { type Embedder, endpointEmbedder } from '../../../evaluation/dataset/retrieve/embedder.ts'
import type { HttpClient } from '../../../model/openai/http/http-client.ts'
import { cacheFolder } from '../runs/answer-cache.ts'
import { cachedEmbedder } from './embedding-cache.ts'
import { energeticEmbedder } from './energetic-embedder.ts'

/**
 * What a dataset's retriever gets embeddings from: a function, an endpoint with a key from the environment, or the sentence
 * encoder that needs no network. The rows that examples are chosen from are embedded once and kept.
 */
export function embedderOf({ abbr, infer_cfg: { retriever } }: Pick<DatasetConfig, 'abbr' | 'infer_cfg'>): Embedder | undefined {
  const given = retriever?.embeddings
  if (given === undefined || typeof given === 'function') return given
  if (given === 'energetic-ai') return kept(energeticEmbedder(`${abbr ?? 'dataset'} › infer_cfg.retriever.embeddings`), given)
  const key = process.env[given.key_env ?? 'OPENAI_API_KEY']
  const embed = endpointEmbedder(given, { client: clientWhenNeeded(), key })
  return kept(embed, JSON.stringify([given.base_url, given.model]))
}

function kept(embed: Embedder, identity: string): Embedder {
  const folder = cacheFolder()
  return folder === undefined ? embed : cachedEmbedder(embed, identity, join(folder, 'embeddings'))
}

/** Most runs embed nothing, and undici takes a while to load. Connections that nobody uses keep no process alive: nobody has to close them. */
function clientWhenNeeded(): HttpClient {
  let made: Promise<HttpClient> | undefined
  return async (request) => {
    made ??= import('./http-client.ts').then(({ nodeClient }) => nodeClient({ connections: 1 }).client)
    return (await made)(request)
  }
}
