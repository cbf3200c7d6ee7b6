import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { PromptError } from '../prompt-error.ts'
import { Admission, type Answer } from './admission.ts'
import { ApiError, isOurs, toApiError } from './api-error.ts'
import { Bodies } from './bodies.ts'
import { chatRoute } from './chat/chat-route.ts'
import { completionsRoute } from './completions/completions-route.ts'
import { type ErrorShape, openaiError } from './error-shape.ts'
import { type GuardOptions, guard } from './guard.ts'
import { messagesError } from './messages/messages-error.ts'
import { countTokensRoute, messagesRoute } from './messages/messages-route.ts'
import { modelRoute, modelsRoute } from './models-route.ts'
import { Rate } from './rate.ts'
import { renderRoute } from './render/render-route.ts'
import { requestIdOf } from './request-id.ts'
import { forgetRoute, inputItemsRoute, keptRoute } from './responses/kept-routes.ts'
import { ResponseMemory } from './responses/response-memory.ts'
import { inputTokensRoute, responsesRoute } from './responses/responses-route.ts'
import { type ModelToServe, servedModels } from './served-model.ts'
import { defaultLimits, type Limits, type Serving } from './serving.ts'

export type AppOptions = GuardOptions & {
  models: readonly ModelToServe[]
  limits?: Partial<Limits>
  /** Told what failed and is not the client's fault. */
  log?: (text: string) => void
  now?: () => number
  randomSeed?: () => number
}

type Route = (serving: Serving, body: string, client: AbortSignal) => Promise<Answer>

const routes: Readonly<Record<string, Route>> = {
  '/v1/completions': completionsRoute,
  '/v1/chat/completions': chatRoute,
  '/v1/messages': messagesRoute,
  '/v1/messages/count_tokens': countTokensRoute,
  '/v1/responses': responsesRoute,
  '/v1/responses/input_tokens': inputTokensRoute,
  '/v1/render': async (serving, body) => ({ response: renderRoute(serving, body) }),
}

/** How errors are told, by whose protocol a path belongs to. */
function errorShapeOf(path: string): ErrorShape {
  return path === '/v1/messages' || path.startsWith('/v1/messages/') ? messagesError : openaiError
}

/** The server as a function from requests to responses, without a port: for tests, and to be put into other servers. */
export function createApp({ models, limits, log = () => {}, now = Date.now, randomSeed = anySeed, ...guarding }: AppOptions): Hono {
  const failed = (error: unknown) => {
    if (!isOurs(error)) return
    log(error instanceof PromptError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  const allowed = { ...defaultLimits, ...limits }
  const responses = new ResponseMemory({ responses: allowed.keptResponses, bytes: allowed.keptBytes })
  const serving: Serving = { models: servedModels(models), limits: allowed, responses, log, failed, now, randomSeed }
  const admission = new Admission(serving.limits, now)
  const bodies = new Bodies(serving.limits)
  const { requestsPerMinute } = serving.limits
  const rate = requestsPerMinute === undefined ? undefined : new Rate(requestsPerMinute, now)
  const isAllowed = guard(guarding)
  const created = Math.floor(now() / 1000)
  const app = new Hono()
  const refuse = (error: ApiError, { req }: Context) => error.response(errorShapeOf(req.path)(error, requestIdOf(req.raw)))
  app.onError((error, context) => {
    // Nobody is there to hear of it.
    if (context.req.raw.signal.aborted) return new Response(null, { status: 499 })
    failed(error)
    return refuse(toApiError(error), context)
  })
  app.notFound((context) => {
    const { method, path } = context.req
    return refuse(new ApiError(404, { message: `there is no ${method} ${path} here`, code: 'unknown_url' }), context)
  })
  app.use(async (context, next) => {
    const id = requestIdOf(context.req.raw)
    await next()
    // The second is Anthropic's.
    for (const name of ['x-request-id', 'request-id']) context.res.headers.set(name, id)
  })
  const { origins = [] } = guarding
  if (origins.length > 0) app.use(cors({ origin: origins.includes('*') ? '*' : [...origins] }))
  app.use(({ req }, next) => {
    isAllowed(req.raw)
    return next()
  })
  app.get('/health', () => Response.json({ status: 'ok', requests: bodies.reading + admission.inside }))
  app.get('/v1/models', () => modelsRoute(serving.models, created))
  app.get('/v1/models/:name{.+}', ({ req }) => modelRoute(serving.models, req.param('name'), created))
  app.get('/v1/responses/:id', ({ req }) => keptRoute(responses, req.param('id')))
  app.delete('/v1/responses/:id', ({ req }) => forgetRoute(responses, req.param('id')))
  app.get('/v1/responses/:id/input_items', ({ req }) => inputItemsRoute(responses, req.param('id')))
  for (const [path, route] of Object.entries(routes)) {
    app.post(path, async ({ req: { raw }, env }) => {
      const who = addressOf(env)
      rate?.count(who)
      const body = await bodies.read(raw)
      return admission.answer(who, raw.signal, () => route(serving, body, raw.signal))
    })
    app.all(path, (context) => {
      const message = `${path} takes POST, not ${context.req.method}`
      return refuse(new ApiError(405, { message, headers: { allow: 'POST' } }), context)
    })
  }
  return app
}

/** Who asks, as far as the server that carries the app tells. */
function addressOf(env: unknown): string {
  return (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress ?? ''
}

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}
