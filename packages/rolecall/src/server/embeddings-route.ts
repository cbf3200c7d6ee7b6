import { z } from 'zod'
import { badField } from './api-error.ts'
import { inTurn } from './in-turn.ts'
import { checkBody } from './read-body.ts'
import type { RouteResult } from './request-env.ts'
import { findModel } from './served-model.ts'
import type { ServerContext } from './server-context.ts'

/** The body of POST /v1/embeddings: all fields are forwarded. */
export const embeddingsRequest = z.looseObject({
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  input: z.unknown().describe('Text, or a list of texts or token ids; the upstream server checks it.'),
})

/** POST /v1/embeddings: forwarded to the model's server; models that run here have none. */
export async function embeddingsRoute(server: ServerContext, body: string, client: AbortSignal): Promise<RouteResult> {
  const request = checkBody(body, embeddingsRequest)
  const served = findModel(server.models, request.model)
  const { model, name } = served
  if (!model.forward) throw badField('model', `${name} runs here and has no embeddings; use a model on a server`, 'unsupported')
  const forward = (signal: AbortSignal) => model.forward!('/embeddings', request, signal)
  const json = await inTurn(server, served, client, forward)
  // The texts count towards the client's limit, as far as the upstream server reports them.
  const count = (JSON.parse(json) as { usage?: { prompt_tokens?: unknown } | null } | null)?.usage?.prompt_tokens
  const prompt = typeof count === 'number' ? count : 0
  server.observer.reply(name, { prompt, reused: 0, reply: 0 })
  return { response: new Response(json, { headers: { 'content-type': 'application/json; charset=utf-8' } }) }
}
