import { setImmediate as nextTurn } from 'node:timers/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { ConstraintThreads } from '../node/constraints/threaded-guides.ts'
import type { FairQueue } from '../node/fair-queue.ts'
import { Admission, type RouteResult } from './admission.ts'
import { ApiError, type ErrorShape, isServerFault, openaiError, toApiError } from './api-error.ts'
import { BodyReader } from './body-reader.ts'
import { chatRoute } from './chat/chat-route.ts'
import { ClientLimiter } from './client-limiter.ts'
import { completionsRoute } from './completions/completions-route.ts'
import { embeddingsRoute } from './embeddings-route.ts'
import { type ApiKey, type GuardOptions, guard } from './guard.ts'
import { messagesError } from './messages/messages-error.ts'
import { countTokensRoute, messagesRoute } from './messages/messages-route.ts'
import { promptRoutes } from './prompt-routes.ts'
import type { PromptThread } from './prompts/prompt-thread.ts'
import { type RequestEntry, requestIdOf } from './request-log.ts'
import { ResponseMemory } from './responses/response-memory.ts'
import { inputTokensRoute, responsesRoute } from './responses/responses-route.ts'
import { deleteResponseRoute, getResponseRoute, inputItemsRoute } from './responses/stored-response-routes.ts'
import { findModel, type ModelToServe, type ServedModel, servedModels } from './served-model.ts'
import { defaultServerLimits, type ReplyObserver, type ServerContext, type ServerLimits } from './server-context.ts'
import { ServerMetrics } from './server-metrics.ts'

/** Options of an OpenAI-compatible app. */
export type AppOptions = GuardOptions & {
  models: readonly ModelToServe[]
  limits?: Partial<ServerLimits>
  /** Receives errors that are not the client's fault. */
  log?: (text: string) => void
  /** Called when a request has finished. */
  onRequest?: (entry: RequestEntry) => void
  /** The threads that follow constraints; by default, those of this app. */
  constraints?: ConstraintThreads
  /** The thread that builds large prompts; by default, they block this one. */
  prompts?: PromptThread
  now?: () => number
  randomSeed?: () => number
}

/** State of a request in progress. */
type RequestState = { key?: ApiKey | undefined; done?: RouteResult['done']; model?: string; tokens?: RequestEntry['tokens'] }

/** The status of requests whose client closed the connection, in metrics and the log: nginx's. */
const clientClosed = 499

/** Errors take the shape of the protocol that a path belongs to. */
function errorShapeOf(path: string): ErrorShape {
  return path === '/v1/messages' || path.startsWith('/v1/messages/') ? messagesError : openaiError
}

/** The server as a function from requests to responses, without a port: for tests, and for mounting in another server. */
export function createApp(options: AppOptions): Hono {
  const { models, limits, log = () => {}, onRequest, constraints, prompts, now = Date.now, randomSeed = anySeed, ...guarding } = options
  const failed = (error: unknown) => {
    if (!isServerFault(error)) return
    log(error instanceof PromptError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  const allowed = { ...defaultServerLimits, ...limits }
  const metrics = new ServerMetrics()
  const memory = new ResponseMemory({ responses: allowed.keptResponses, bytes: allowed.keptBytes })
  const base: Omit<ServerContext, 'observer' | 'responses' | 'client'> = {
    models: servedModels(models, constraints ?? new ConstraintThreads(allowed.constraintSeconds)),
    ...(prompts ? { prompts } : {}),
    limits: allowed,
    log,
    failed,
    now,
    randomSeed,
  }
  const admission = new Admission(allowed, now)
  const bodies = new BodyReader(allowed)
  const limiters = limitersOf(allowed, guarding.keys ?? [], now)
  const isAllowed = guard(guarding)
  const created = Math.floor(now() / 1000)
  const states = new WeakMap<Request, RequestState>()
  const app = new Hono()
  const refuse = (error: ApiError, { req }: Context) => error.response(errorShapeOf(req.path)(error, requestIdOf(req.raw)))
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
  app.use(async (context, next) => {
    const { raw, method, path } = context.req
    const [id, start, state] = [requestIdOf(raw), now(), {} as RequestState]
    states.set(raw, state)
    await next()
    // `request-id` is Anthropic's header.
    for (const name of ['x-request-id', 'request-id']) context.res.headers.set(name, id)
    const { res } = context
    void Promise.resolve(state.done).then((ended) => {
      const { key, model, tokens } = state
      const status = ended?.isAborted ? clientClosed : res.status
      metrics.request(routeOf(path), status, (now() - start) / 1000)
      const client = key === undefined ? {} : { client: key.name }
      onRequest?.({
        id,
        method,
        path,
        status,
        milliseconds: now() - start,
        ...client,
        ...(model ? { model } : {}),
        ...(tokens ? { tokens } : {}),
      })
    })
  })
  const { origins = [] } = guarding
  if (origins.length > 0) app.use(cors({ origin: origins.includes('*') ? '*' : [...origins] }))
  app.use(({ req }, next) => {
    states.get(req.raw)!.key = isAllowed(req.raw)
    return next()
  })
  app.get('/health', () => Response.json({ status: 'ok', requests: bodies.reading + admission.admitted }))
  app.get('/metrics', () => {
    const text = metrics.format(gaugesOf(base, admission, bodies))
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
  })
  app.get('/v1/models', () => modelsRoute(base.models, created))
  app.get('/v1/models/:name{.+}', ({ req }) => modelRoute(base.models, req.param('name'), created))
  const clientResponses = ({ raw }: Context['req']) => memory.of(states.get(raw)!.key?.name)
  app.get('/v1/responses/:id', ({ req }) => getResponseRoute(clientResponses(req), req.param('id')))
  app.delete('/v1/responses/:id', ({ req }) => deleteResponseRoute(clientResponses(req), req.param('id')))
  app.get('/v1/responses/:id/input_items', ({ req }) => inputItemsRoute(clientResponses(req), req.param('id')))
  for (const [path, route] of Object.entries(routes)) {
    app.post(path, async ({ req: { raw }, env }) => {
      const state = states.get(raw)!
      const client = state.key?.name ?? addressOf(env)
      const admitted = (limiters.get(state.key?.name) ?? limiters.get(undefined)!).admit(client)
      const observer: ReplyObserver = {
        first: (model, milliseconds) => metrics.firstToken(model, milliseconds / 1000),
        reply: (model, { prompt, reused, reply }, isFirst) => {
          const tokens = isFirst ? { prompt, reused, reply } : { prompt: 0, reused: 0, reply }
          metrics.reply(model, tokens)
          admitted.spend(tokens.prompt + tokens.reply)
          const sum = state.tokens ?? { prompt: 0, reused: 0, reply: 0 }
          state.model = model
          state.tokens = { prompt: sum.prompt + tokens.prompt, reused: sum.reused + tokens.reused, reply: sum.reply + reply }
        },
      }
      try {
        const body = await bodies.read(raw)
        await nextTurn()
        return await admission.handle(client, raw.signal, async () => {
          const result = await route({ ...base, observer, client, responses: memory.of(state.key?.name) }, body, raw.signal)
          state.done = result.done?.finally(() => admitted.end())
          return result
        })
      } catch (error) {
        // The reason for which a request is aborted is a string, and Hono passes only errors on to `onError`.
        throw error instanceof Error ? error : new Error(String(error))
      } finally {
        // A stream outlives its response.
        if (!state.done) admitted.end()
      }
    })
    app.all(path, (context) => {
      const message = `${path} requires POST, not ${context.req.method}`
      return refuse(new ApiError(405, { message, headers: { allow: 'POST' } }), context)
    })
  }
  return app
}

/** One limiter per key name, and one (`undefined`) for all other clients. Keys inherit the general limits. */
function limitersOf(limits: ServerLimits, keys: readonly ApiKey[], now: () => number): Map<string | undefined, ClientLimiter> {
  const { requestsPerMinute, client } = limits
  const general = { requestsPerMinute, ...client }
  const byKey = keys.map(({ name, key: _, ...limited }) => [name, new ClientLimiter({ ...general, ...limited }, now)] as const)
  return new Map<string | undefined, ClientLimiter>([[undefined, new ClientLimiter(general, now)], ...byKey])
}

/** The route label in metrics: a bounded set, whatever paths clients request. */
function routeOf(path: string): string {
  if (path in routes || ['/health', '/metrics', '/v1/models'].includes(path)) return path
  if (path.startsWith('/v1/models/')) return '/v1/models/:name'
  return path.startsWith('/v1/responses/') ? '/v1/responses/:id' : 'other'
}

function gaugesOf({ models }: Pick<ServerContext, 'models'>, admission: Admission, bodies: BodyReader) {
  const perModel = (value: (queue: FairQueue) => number) =>
    models.map(({ name, queue }) => ({ labels: { model: name }, value: value(queue) }))
  return [
    { name: 'rolecall_requests_reading', help: 'Requests whose body is being read.', values: [{ value: bodies.reading }] },
    { name: 'rolecall_requests_running', help: 'Running requests.', values: [{ value: admission.running }] },
    {
      name: 'rolecall_requests_waiting',
      help: 'Waiting requests.',
      values: [{ value: admission.admitted - admission.running }],
    },
    { name: 'rolecall_replies_running', help: 'Replies being generated.', values: perModel(({ running }) => running) },
    { name: 'rolecall_replies_waiting', help: 'Replies waiting for their model.', values: perModel(({ waiting }) => waiting) },
  ]
}

/** The client's address, if the host server provides it. */
function addressOf(env: unknown): string {
  return (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress ?? ''
}

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}

/** GET /v1/models: the served models and their context lengths. */
function modelsRoute(models: readonly ServedModel[], created: number): Response {
  const data = models.map((model) => describe(model, created))
  // `has_more` and the ids are for Anthropic's clients.
  return Response.json({ object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null })
}

/** GET /v1/models/NAME */
function modelRoute(models: readonly ServedModel[], name: string, created: number): Response {
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
  ...Object.fromEntries(Object.keys(promptRoutes).map((path) => [path, promptRoute(path)])),
}

function promptRoute(path: string): Route {
  return async (server, body, signal) => {
    const elsewhere = await server.prompts?.route(path, body, { client: server.client, signal })
    return { response: elsewhere ?? promptRoutes[path]!(server, body) }
  }
}
