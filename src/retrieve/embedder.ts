import { z } from 'zod'
import { PromptError } from '../prompt-error.ts'
import type { Vectors } from './nearest-vectors.ts'

/** Turns texts into vectors. */
export type Embedder = (texts: readonly string[]) => Promise<Vectors>

const replySchema = z.looseObject({ data: z.array(z.looseObject({ index: z.int().optional(), embedding: z.array(z.number()) })) })

export type EmbeddingsEndpoint = { base_url: string; model: string; batch_size?: number }

/** Asks an OpenAI-compatible endpoint; `fetch` and the key come from outside. */
export function endpointEmbedder(endpoint: EmbeddingsEndpoint, { fetch, key }: { fetch: typeof globalThis.fetch; key?: string }): Embedder {
  const { base_url: base, model, batch_size: most = 64 } = endpoint
  const url = `${base.replace(/\/+$/, '')}/embeddings`
  return async (texts) => {
    const vectors: number[][] = []
    for (let from = 0; from < texts.length; from += most) {
      const input = texts.slice(from, from + most)
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
      })
      if (!reply.ok) throw refused(url, `it answered ${reply.status}: ${(await reply.text()).slice(0, 200)}`)
      const read = replySchema.safeParse(await reply.json())
      if (!read.success || read.data.data.length !== input.length) throw refused(url, 'its answer is not one embedding for each text')
      const sorted = read.data.data.map((one, place) => ({ ...one, index: one.index ?? place })).sort((a, b) => a.index - b.index)
      vectors.push(...sorted.map(({ embedding }) => embedding))
    }
    return vectors
  }
}

function refused(url: string, problem: string): PromptError {
  return new PromptError('no-embeddings', { where: url, problem, fix: 'check base_url, model and the key in the environment' })
}
