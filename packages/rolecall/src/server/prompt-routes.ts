import { renderRoute } from './render/render-route.ts'
import type { PromptModel } from './served-model.ts'
import { applyTemplateRoute, detokenizeRoute, tokenizeRoute } from './tokenize/tokenize-routes.ts'

/** The routes that only build prompts or read tokens. */
export const promptRoutes: Readonly<Record<string, (server: { models: readonly PromptModel[] }, body: string) => Response>> = {
  '/v1/render': renderRoute,
  '/tokenize': tokenizeRoute,
  '/detokenize': detokenizeRoute,
  '/apply-template': applyTemplateRoute,
}
