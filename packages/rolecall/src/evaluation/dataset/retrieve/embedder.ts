import { PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import type { HttpClient } from '../../../model/openai/http/http-client.ts'
import { Refused, Server } from '../../../model/openai/http/model-server.ts'
import { splitAddress } from '../../../model/openai/http/split-address.ts'
import { type Clock, systemClock } from '../../../model/openai/http/wait.ts'
import type { Vectors } from './vector-table.ts'

/** Turns texts into vectors, and may report progress. */
export type Embedder = (texts: readonly string[], onDone?: (count: number) => void) => Promise<Vectors>

const replySchema = z.looseObject({ data: z.array(z.looseObject({ index: z.int().optional(), embedding: z.array(z.number()) })) })

export type EmbeddingsEndpoint = { base_url: string; model: string; batch_size?: number; key_env?: string }

export type EmbedderOptions = { client: HttpClient; key?: string; clock?: Clock; random?: () => number }

/** The limit of a reply: a vector of ten thousand numbers takes as many bytes as this many tokens. */
const tokensPerVector = 32

/** Queries an OpenAI-compatible endpoint, with retries; the caller provides the HTTP client and the key. */
export function endpointEmbedder(endpoint: EmbeddingsEndpoint, { client, key, clock, random }: EmbedderOptions): Embedder {
  const { base_url: base, model, batch_size: most = 64, key_env: keyName = 'OPENAI_API_KEY' } = endpoint
  const { baseUrl, query } = splitAddress(base)
  const server = new Server({
    client,
    baseUrl,
    query,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    name: { where: 'embeddings', shown: baseUrl, model, keyName, hasKey: key !== undefined, secrets: key === undefined ? [] : [key] },
    concurrency: 1,
    timeout: 600_000,
    retries: 6,
    longestWait: 60_000,
    longestDown: 60_000,
    clock: clock ?? systemClock,
    random: random ?? Math.random,
  })
  return async (texts, onDone) => {
    const vectors: number[][] = []
    for (let from = 0; from < texts.length; from += most) {
      const input = texts.slice(from, from + most)
      const body = JSON.stringify({ model, input, encoding_format: 'float' })
      const reply = await server
        .send({ path: '/embeddings', body, tokens: input.length * tokensPerVector }, (answer) => answer.text())
        .catch(async (error: unknown) => {
          throw error instanceof Refused ? await server.explain(error) : error
        })
      vectors.push(...vectorsIn(reply, input.length, `${baseUrl}/embeddings`))
      onDone?.(vectors.length)
    }
    return vectors
  }
}

function vectorsIn(reply: string, count: number, url: string): number[][] {
  const read = replySchema.safeParse(jsonOf(reply))
  if (!read.success || read.data.data.length !== count) {
    throw new PromptError('no-embeddings', {
      where: url,
      problem: 'its answer is not one embedding for each text',
      fix: 'check base_url, model and the key in the environment',
    })
  }
  const sorted = read.data.data.map((one, place) => ({ ...one, index: one.index ?? place })).sort((a, b) => a.index - b.index)
  return sorted.map(({ embedding }) => embedding)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
