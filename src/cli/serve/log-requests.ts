import { Hono } from 'hono'

/** Tells of each request when its answer begins: what was asked, what came of it, and how long it took. Never what was said. */
export function logRequests(app: Hono, tell: (line: string) => void): Hono {
  return new Hono().all('*', async ({ req, env }) => {
    const start = performance.now()
    const response = await app.fetch(req.raw, env)
    tell(`${new Date().toISOString()} ${req.method} ${req.path} ${response.status} ${Math.round(performance.now() - start)} ms`)
    return response
  })
}
