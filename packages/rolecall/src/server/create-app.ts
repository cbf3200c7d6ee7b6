import { PromptError } from '@rolecall/core/internal/errors'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { ConstraintThreads } from '../node/constraints/threaded-guides.ts'
import { Admission } from './admission.ts'
import { ApiError, type ErrorShape, isServerFault, openaiError, toApiError } from './api-error.ts'
import { BodyReader } from './body-reader.ts'
import { chatRoute } from './chat/chat-route.ts'
import { limitClients } from './client-limiter.ts'
import { completionsRoute } from './completions/completions-route.ts'
import { embeddingsRoute } from './embeddings-route.ts'
import { type GuardOptions, guard } from './guard.ts'
import { messagesError } from './messages/messages-error.ts'
import { countTokensRoute, messagesRoute } from './messages/messages-route.ts'
import { modelRoute, modelsRoute } from './models-routes.ts'
import { promptRoutes } from './prompt-routes.ts'
import type { PromptThread } from './prompts/prompt-thread.ts'
import type { RequestEnv, RouteResult, ServerLayer } from './request-env.ts'
import { clientClosed, observeRequests, type RequestEntry, requestIdOf } from './request-log.ts'
import { ResponseMemory } from './responses/response-memory.ts'
import { inputTokensRoute, responsesRoute } from './responses/responses-route.ts'
import { deleteResponseRoute, getResponseRoute, inputItemsRoute } from './responses/stored-response-routes.ts'
import { type ModelToServe, servedModels } from './served-model.ts'
import type { ServerContext } from './server-context.ts'
import type { ServerLimits } from './server-limits.ts'
import { defaultServerLimits } from './server-limits.ts'
import { ServerMetrics, serverGauges } from './server-metrics.ts'
import { generateRoute } from './token-service/generate-route.ts'

/** Options of an OpenAI-compatible app. */
export type AppOptions = GuardOptions & {
  models: readonly ModelToServe[]
  limits?: Partial<ServerLimits>
  /** Receives errors that are not the client's fault. */
  log?: (text: string) => void
  /** Receives how the prompts of a conversation differ from what was sent, once for each conversation and kind; never its content. */
  onNote?: (text: string) => void
  /** Removes lines that clients are known to change in their system text with every request: they cost the whole prefix cache. */
  stablePrefix?: boolean
  /** Called when a request has finished. */
  onRequest?: (entry: RequestEntry) => void
  /** The threads that follow constraints; by default, those of this app. */
  constraints?: ConstraintThreads
  /** The thread that builds large prompts; by default, they block this one. */
  prompts?: PromptThread
  now?: () => number
  randomSeed?: () => number
}

/**
 * The server as a function from requests to responses, without a port: for tests, and for mounting in another server. Each request passes
 * through layers: its id, metrics and log; its client; the client's limits; its body; its turn. Then its route answers.
 */
export function createApp(options: AppOptions): Hono {
  const {
    models,
    limits,
    log = () => {},
    onNote = () => {},
    stablePrefix = false,
    onRequest,
    constraints,
    prompts,
    now = Date.now,
    randomSeed = anySeed,
    ...guarding
  } = options
  const failed = (error: unknown) => {
    if (!isServerFault(error)) return
    log(error instanceof PromptError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  const allowed = { ...defaultServerLimits, ...limits }
  const metrics = new ServerMetrics()
  const memory = new ResponseMemory({ responses: allowed.keptResponses, bytes: allowed.keptBytes })
  const base: Omit<ServerContext, 'observer' | 'responses' | 'client'> = {
    models: servedModels(models, constraints ?? new ConstraintThreads(allowed.constraintSeconds)),
    prompts,
    limits: allowed,
    log,
    note: onNote,
    stablePrefix,
    failed,
    now,
    randomSeed,
  }
  const admission = new Admission(allowed, now)
  const bodies = new BodyReader(allowed)
  const created = Math.floor(now() / 1000)
  const app = new Hono<RequestEnv>()
  app.onError((error, context) => {
    // The client has disconnected.
    if (context.req.raw.signal.aborted) return new Response(null, { status: clientClosed })
    failed(error)
    return refuse(toApiError(error), context)
  })
  app.notFound((context) => {
    const { method, path } = context.req
    return refuse(new ApiError(404, { message: `unknown URL: ${method} ${path}`, code: 'unknown_url' }), context)
  })

  app.use(observeRequests({ metrics, onRequest, labelOf, now }), throwErrors)
  const { origins = [] } = guarding
  if (origins.length > 0) app.use(cors({ origin: origins.includes('*') ? '*' : [...origins] }))
  app.use(identifyClients(guarding))

  // Some clients ask whether there is a server, with HEAD, before their first request.
  app.get('/', () => Response.json({ status: 'ok', server: 'rolecall', models: '/v1/models' }))
  app.get('/health', () => Response.json({ status: 'ok', requests: bodies.reading + admission.admitted }))
  app.get('/metrics', () => {
    const text = metrics.format(serverGauges(base.models, admission, bodies))
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
  })
  app.get('/v1/models', () => modelsRoute(base.models, created))
  app.get('/v1/models/:name{.+}', ({ req }) => modelRoute(base.models, req.param('name'), created))
  const responsesOf = (context: Context<RequestEnv>) => memory.of(context.get('key')?.name)
  app.get('/v1/responses/:id', (context) => getResponseRoute(responsesOf(context), context.req.param('id')))
  app.delete('/v1/responses/:id', (context) => deleteResponseRoute(responsesOf(context), context.req.param('id')))
  app.post('/v1/responses/compact', (context) => refuse(noCompaction(), context))
  app.get('/v1/responses/:id/input_items', (context) => inputItemsRoute(responsesOf(context), context.req.param('id')))
  const limited = limitClients(allowed, guarding.keys ?? [], now)
  for (const [path, route] of Object.entries(routes)) {
    app.post(path, limited, bodies.layer, admission.layer, async (context) => {
      const { client, observer, body } = context.var
      const server = { ...base, observer, client, responses: responsesOf(context) }
      const { response, done } = await route(server, body, context.req.raw.signal)
      context.set('done', done)
      return response
    })
    app.all(path, (context) => {
      const message = `${path} requires POST, not ${context.req.method}`
      return refuse(new ApiError(405, { message, headers: { allow: 'POST' } }), context)
    })
  }
  // The variables of its layers are nobody else's.
  return app as unknown as Hono
}

/** The reason for which a request is aborted is a string, and Hono passes only errors on to `onError`. */
const throwErrors: ServerLayer = async (_, next) => {
  try {
    await next()
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error))
  }
}

/** Rejects what the guard rejects, and says whose the other requests are. */
function identifyClients(options: GuardOptions): ServerLayer {
  const isAllowed = guard(options)
  return (context, next) => {
    const key = isAllowed(context.req.raw)
    context.set('key', key)
    context.set('client', key?.name ?? addressOf(context.env))
    return next()
  }
}

/** The client's address, if the host server provides it. */
function addressOf(env: unknown): string {
  return (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress ?? ''
}

function refuse(error: ApiError, { req }: Context): Response {
  return error.response(errorShapeOf(req.path)(error, requestIdOf(req.raw)))
}

/** Codex asks for it only where the provider in its settings is OpenAI; else it summarizes by a request for a response. */
function noCompaction(): ApiError {
  const message =
    'responses are not compacted here: ask for a summary with POST /v1/responses, and send it instead of the conversation. Codex does that where the name of its provider is not OpenAI (`rolecall serve --for codex` prints such settings)'
  return new ApiError(404, { message, code: 'unsupported' })
}

/** Errors take the shape of the protocol that a path belongs to. */
function errorShapeOf(path: string): ErrorShape {
  return path === '/v1/messages' || path.startsWith('/v1/messages/') ? messagesError : openaiError
}

/** The route label in metrics: a bounded set, whatever paths clients request. */
function labelOf(path: string): string {
  if (path in routes || ['/', '/health', '/metrics', '/v1/models'].includes(path)) return path
  if (path.startsWith('/v1/models/')) return '/v1/models/:name'
  return path.startsWith('/v1/responses/') ? '/v1/responses/:id' : 'other'
}

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}

/** Handles the body of a request. */
type Route = (server: ServerContext, body: string, client: AbortSignal) => Promise<RouteResult>

/** The POST routes. */
const routes: Readonly<Record<string, Route>> = {
  '/v1/completions': completionsRoute,
  '/v1/chat/completions': chatRoute,
  '/v1/messages': messagesRoute,
  '/v1/messages/count_tokens': countTokensRoute,
  '/v1/responses': responsesRoute,
  '/v1/responses/input_tokens': inputTokensRoute,
  '/v1/embeddings': embeddingsRoute,
  '/inference/v1/generate': generateRoute,
  ...Object.fromEntries(Object.keys(promptRoutes).map((path) => [path, promptRoute(path)])),
}

function promptRoute(path: string): Route {
  return async (server, body, signal) => {
    const elsewhere = await server.prompts?.route(path, body, { client: server.client, signal })
    return { response: elsewhere ?? promptRoutes[path]!(server, body) }
  }
}
