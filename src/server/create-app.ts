import { Hono } from 'hono'
import { ApiError, toApiError } from './api-error.ts'
import { chatRoute } from './chat/chat-route.ts'
import { completionsRoute } from './completions/completions-route.ts'
import { modelRoute, modelsRoute } from './models-route.ts'
import { readBody } from './read-body.ts'
import { type ModelToServe, servedModels } from './served-model.ts'
import { defaultLimits, type Limits, type Serving } from './serving.ts'

export type AppOptions = {
  models: readonly ModelToServe[]
  limits?: Partial<Limits>
  /** Told what failed and is not the client's fault. */
  log?: (text: string) => void
  now?: () => number
  randomSeed?: () => number
}

/** The server as a function from requests to responses, without a port: for tests, and for other runtimes. */
export function createApp({ models, limits, log = () => {}, now = Date.now, randomSeed = anySeed }: AppOptions): Hono {
  const failed = (error: unknown) => {
    if (toApiError(error).code === 'internal_error') log(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  const serving: Serving = { models: servedModels(models), limits: { ...defaultLimits, ...limits }, log, failed, now, randomSeed }
  const created = Math.floor(now() / 1000)
  const app = new Hono()
  app.onError((error) => {
    failed(error)
    return toApiError(error).response()
  })
  app.notFound(({ req }) => new ApiError(404, { message: `there is no ${req.method} ${req.path} here`, code: 'unknown_url' }).response())
  app.get('/health', () => Response.json({ status: 'ok' }))
  app.get('/v1/models', () => modelsRoute(serving.models, created))
  app.get('/v1/models/:name{.+}', ({ req }) => modelRoute(serving.models, req.param('name'), created))
  app.post('/v1/completions', async ({ req }) =>
    completionsRoute(serving, await readBody(req.raw, serving.limits.bodyBytes), req.raw.signal),
  )
  app.post('/v1/chat/completions', async ({ req }) => chatRoute(serving, await readBody(req.raw, serving.limits.bodyBytes), req.raw.signal))
  return app
}

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}
