import type { RouteResult } from './admission.ts'
import { chatRoute } from './chat/chat-route.ts'
import { completionsRoute } from './completions/completions-route.ts'
import { countTokensRoute, messagesRoute } from './messages/messages-route.ts'
import { renderRoute } from './render/render-route.ts'
import { inputTokensRoute, responsesRoute } from './responses/responses-route.ts'
import type { ServerContext } from './server-context.ts'
import { applyTemplateRoute, detokenizeRoute, tokenizeRoute } from './tokenize/tokenize-routes.ts'

/** Handles the body of a request. */
export type Route = (server: ServerContext, body: string, client: AbortSignal) => Promise<RouteResult>

/** The POST routes. */
export const routes: Readonly<Record<string, Route>> = {
  '/v1/completions': completionsRoute,
  '/v1/chat/completions': chatRoute,
  '/v1/messages': messagesRoute,
  '/v1/messages/count_tokens': countTokensRoute,
  '/v1/responses': responsesRoute,
  '/v1/responses/input_tokens': inputTokensRoute,
  '/v1/render': immediate(renderRoute),
  '/tokenize': immediate(tokenizeRoute),
  '/detokenize': immediate(detokenizeRoute),
  '/apply-template': immediate(applyTemplateRoute),
}

function immediate(answer: (server: ServerContext, body: string) => Response): Route {
  return async (server, body) => ({ response: answer(server, body) })
}
