import { findModel, type ServedModel } from './served-model.ts'

/** GET /v1/models: what is served, and how long its prompts may be. */
export function modelsRoute(models: readonly ServedModel[], created: number): Response {
  const data = models.map((model) => describe(model, created))
  // The rest is what Anthropic's clients look for.
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
    // As Anthropic describes models.
    type: 'model',
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
    // As vLLM names it.
    max_model_len: model.context ?? null,
    format: maker.format.name,
    tools: maker.format.traits.tools,
    // Messages that are handed on as they are cannot be scored.
    prompt_logprobs: model.score !== undefined && maker.format.kind !== 'chat',
  }
}
