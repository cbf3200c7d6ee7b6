import { renderRoute } from './render/render-route.ts'
import type { PromptModel } from './served-model.ts'
import { derenderChatRoute, derenderCompletionsRoute } from './token-service/derender-routes.ts'
import { renderChatRoute, renderCompletionsRoute } from './token-service/render-routes.ts'
import { applyTemplateRoute, detokenizeRoute, tokenizeRoute } from './tokenize/tokenize-routes.ts'

/** The routes that only build prompts or read tokens. */
export const promptRoutes: Readonly<Record<string, (server: { models: readonly PromptModel[] }, body: string) => Response>> = {
  '/v1/render': renderRoute,
  '/tokenize': tokenizeRoute,
  '/detokenize': detokenizeRoute,
  '/apply-template': applyTemplateRoute,
  '/v1/chat/completions/render': renderChatRoute,
  '/v1/completions/render': renderCompletionsRoute,
  '/v1/chat/completions/derender': derenderChatRoute,
  '/v1/completions/derender': derenderCompletionsRoute,
}
