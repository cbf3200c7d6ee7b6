import type { Answer } from './admission.ts'
import { chatRoute } from './chat/chat-route.ts'
import { completionsRoute } from './completions/completions-route.ts'
import { countTokensRoute, messagesRoute } from './messages/messages-route.ts'
import { renderRoute } from './render/render-route.ts'
import { inputTokensRoute, responsesRoute } from './responses/responses-route.ts'
import type { Serving } from './server-context.ts'
import { applyTemplateRoute, detokenizeRoute, tokenizeRoute } from './tokenize/tokenize-routes.ts'

/** Answers the body of a request. */
export type Route = (serving: Serving, body: string, client: AbortSignal) => Promise<Answer>

/** What takes POST. */
export const routes: Readonly<Record<string, Route>> = {
  '/v1/completions': completionsRoute,
  '/v1/chat/completions': chatRoute,
  '/v1/messages': messagesRoute,
  '/v1/messages/count_tokens': countTokensRoute,
  '/v1/responses': responsesRoute,
  '/v1/responses/input_tokens': inputTokensRoute,
  '/v1/render': atOnce(renderRoute),
  '/tokenize': atOnce(tokenizeRoute),
  '/detokenize': atOnce(detokenizeRoute),
  '/apply-template': atOnce(applyTemplateRoute),
}

function atOnce(answer: (serving: Serving, body: string) => Response): Route {
  return async (serving, body) => ({ response: answer(serving, body) })
}
