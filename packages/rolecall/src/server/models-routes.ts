import { findModel, type ServedModel } from './served-model.ts'

/** GET /v1/models: the served models and their context lengths. */
export function modelsRoute(models: readonly ServedModel[], created: number): Response {
  const data = models.map((model) => describe(model, created))
  // `has_more` and the ids are for Anthropic's clients.
  return Response.json({ object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null })
}

/** GET /v1/models/NAME */
export function modelRoute(models: readonly ServedModel[], name: string, created: number): Response {
  return Response.json(describe(findModel(models, name), created))
}

function describe({ name, model, maker }: ServedModel, created: number) {
  return {
    id: name,
    object: 'model',
    created,
    owned_by: 'rolecall',
    // Anthropic's fields.
    type: 'model',
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
    // vLLM's field.
    max_model_len: model.context ?? null,
    format: maker.format.name,
    tools: maker.format.traits.tools,
    // Messages that are forwarded upstream cannot be scored.
    prompt_logprobs: model.score !== undefined && maker.format.kind !== 'chat',
  }
}
