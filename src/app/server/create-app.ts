import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { Admission } from './admission.ts'
import { ApiError, isOurs, toApiError } from './api-error.ts'
import { Bodies } from './body-reader.ts'
import { ClientLimiter } from './client-limiter.ts'
import { type ErrorShape, openaiError } from './error-shape.ts'
import { type ApiKey, type GuardOptions, guard } from './guard.ts'
import { messagesError } from './messages/messages-error.ts'
import { modelRoute, modelsRoute } from './models-route.ts'
import { requestIdOf } from './request-id.ts'
import type { RequestEntry } from './request-log.ts'
import { ResponseMemory } from './responses/response-memory.ts'
import { forgetRoute, inputItemsRoute, keptRoute } from './responses/stored-response-routes.ts'
import { routes } from './routes.ts'
import { type ModelToServe, servedModels } from './served-model.ts'
import { defaultLimits, type Limits, type Serving, type Watch } from './server-context.ts'
import { Metrics } from './server-metrics.ts'

/** What an OpenAI-compatible app serves, and its limits. */
export type AppOptions = GuardOptions & {
  models: readonly ModelToServe[]
  limits?: Partial<Limits>
  /** Told what failed and is not the client's fault. */
  log?: (text: string) => void
  /** Told of each request when it is over. */
  onRequest?: (entry: RequestEntry) => void
  now?: () => number
  randomSeed?: () => number
}

/** What is known of a request while it is answered. */
type Underway = { key?: ApiKey | undefined; done?: Promise<void> | undefined; model?: string; tokens?: RequestEntry['tokens'] }

/** How errors are told, by whose protocol a path belongs to. */
function errorShapeOf(path: string): ErrorShape {
  return path === '/v1/messages' || path.startsWith('/v1/messages/') ? messagesError : openaiError
}

/** The server as a function from requests to responses, without a port: for tests, and to be put into other servers. */
export function createApp(options: AppOptions): Hono {
  const { models, limits, log = () => {}, onRequest, now = Date.now, randomSeed = anySeed, ...guarding } = options
  const failed = (error: unknown) => {
    if (!isOurs(error)) return
    log(error instanceof PromptError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  const allowed = { ...defaultLimits, ...limits }
  const metrics = new Metrics()
  const memory = new ResponseMemory({ responses: allowed.keptResponses, bytes: allowed.keptBytes })
  const base: Omit<Serving, 'watch' | 'responses'> = { models: servedModels(models), limits: allowed, log, failed, now, randomSeed }
  const admission = new Admission(allowed, now)
  const bodies = new Bodies(allowed)
  const limiters = limitersOf(allowed, guarding.keys ?? [], now)
  const isAllowed = guard(guarding)
  const created = Math.floor(now() / 1000)
  const underway = new WeakMap<Request, Underway>()
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
    const { raw, method, path } = context.req
    const [id, start, mine] = [requestIdOf(raw), now(), {} as Underway]
    underway.set(raw, mine)
    await next()
    // The second is Anthropic's.
    for (const name of ['x-request-id', 'request-id']) context.res.headers.set(name, id)
    const { status } = context.res
    void Promise.resolve(mine.done).then(() => {
      const { key, model, tokens } = mine
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
    underway.get(req.raw)!.key = isAllowed(req.raw)
    return next()
  })
  app.get('/health', () => Response.json({ status: 'ok', requests: bodies.reading + admission.inside }))
  app.get('/metrics', () => {
    const text = metrics.tell(gaugesOf(base, admission, bodies))
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
  })
  app.get('/v1/models', () => modelsRoute(base.models, created))
  app.get('/v1/models/:name{.+}', ({ req }) => modelRoute(base.models, req.param('name'), created))
  const ownOf = ({ raw }: Context['req']) => memory.of(underway.get(raw)!.key?.name)
  app.get('/v1/responses/:id', ({ req }) => keptRoute(ownOf(req), req.param('id')))
  app.delete('/v1/responses/:id', ({ req }) => forgetRoute(ownOf(req), req.param('id')))
  app.get('/v1/responses/:id/input_items', ({ req }) => inputItemsRoute(ownOf(req), req.param('id')))
  for (const [path, route] of Object.entries(routes)) {
    app.post(path, async ({ req: { raw }, env }) => {
      const mine = underway.get(raw)!
      const who = mine.key?.name ?? addressOf(env)
      const admitted = (limiters.get(mine.key?.name) ?? limiters.get(undefined)!).admit(who)
      const watch: Watch = {
        first: (model, milliseconds) => metrics.firstToken(model, milliseconds / 1000),
        reply: (model, { prompt, reused, reply }, isFirst) => {
          const tokens = isFirst ? { prompt, reused, reply } : { prompt: 0, reused: 0, reply }
          metrics.reply(model, tokens)
          admitted.spend(tokens.prompt + tokens.reply)
          const { prompt: before = 0, reused: known = 0, reply: said = 0 } = mine.tokens ?? {}
          Object.assign(mine, { model, tokens: { prompt: before + tokens.prompt, reused: known + tokens.reused, reply: said + reply } })
        },
      }
      try {
        const body = await bodies.read(raw)
        return await admission.answer(who, raw.signal, async () => {
          const answer = await route({ ...base, watch, responses: memory.of(mine.key?.name) }, body, raw.signal)
          mine.done = answer.done?.finally(() => admitted.end())
          return answer
        })
      } finally {
        // A stream goes on when its response has begun.
        if (!mine.done) admitted.end()
      }
    })
    app.all(path, (context) => {
      const message = `${path} takes POST, not ${context.req.method}`
      return refuse(new ApiError(405, { message, headers: { allow: 'POST' } }), context)
    })
  }
  return app
}

/** By the name of a key; `undefined` for everybody else. What a key does not limit is limited as for all. */
function limitersOf(limits: Limits, keys: readonly ApiKey[], now: () => number): Map<string | undefined, ClientLimiter> {
  const { requestsPerMinute, client } = limits
  const all = { requestsPerMinute, ...client }
  const own = keys.map(({ name, key: _, ...given }) => [name, new ClientLimiter({ ...all, ...given }, now)] as const)
  return new Map<string | undefined, ClientLimiter>([[undefined, new ClientLimiter(all, now)], ...own])
}

/** Paths as metrics name them: as many as there are routes, whatever is asked for. */
function routeOf(path: string): string {
  if (path in routes || ['/health', '/metrics', '/v1/models'].includes(path)) return path
  if (path.startsWith('/v1/models/')) return '/v1/models/:name'
  return path.startsWith('/v1/responses/') ? '/v1/responses/:id' : 'other'
}

function gaugesOf({ models }: Pick<Serving, 'models'>, admission: Admission, bodies: Bodies) {
  const each = (value: (turns: Serving['models'][number]['turns']) => number) =>
    models.map(({ name, turns }) => ({ labels: { model: name }, value: value(turns) }))
  return [
    { name: 'rolecall_requests_reading', help: 'Requests whose body is being read.', values: [{ value: bodies.reading }] },
    { name: 'rolecall_requests_running', help: 'Requests that are worked on.', values: [{ value: admission.running }] },
    {
      name: 'rolecall_requests_waiting',
      help: 'Requests that wait to be worked on.',
      values: [{ value: admission.inside - admission.running }],
    },
    { name: 'rolecall_replies_running', help: 'Replies that a model is writing.', values: each(({ running }) => running) },
    { name: 'rolecall_replies_waiting', help: 'Replies that wait for their model.', values: each(({ waiting }) => waiting) },
  ]
}

/** Who asks, as far as the server that carries the app tells. */
function addressOf(env: unknown): string {
  return (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress ?? ''
}

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}
