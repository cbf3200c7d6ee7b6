import { check } from '@rolecall/core/internal/errors'
import type { Hono } from 'hono'
import { askRun } from '../../node/runs/control/ask-run.ts'
import { controlRequestSchema } from '../../node/runs/control/control-messages.ts'
import { isSameSecret } from './own-page-only.ts'
import type { WireError } from './viewer-data.ts'

/** The header of the token that `rolecall view --control` prints. It is in no file of the site: a process that can read the page cannot control runs. */
export const controlHeader = 'x-rolecall-control'

const wrongToken: WireError = {
  error: {
    where: 'the control token',
    problem: 'it is missing or wrong; the run was not changed',
    fix: 'enter the token that `rolecall view --control` printed',
  },
}

/** The status of runs in progress, and changes to them over their sockets. Changes have passed `ownPageOnly`, and need the token as well. */
export function addControlRoutes(app: Hono, token: string, folderOf: (run: string) => string): void {
  app.get('/data/runs/:run/control.json', async (context) =>
    context.json(await askRun(folderOf(context.req.param('run')), { action: 'status' })),
  )
  app.post('/data/runs/:run/control', async (context) => {
    const folder = folderOf(context.req.param('run'))
    if (!isSameSecret(context.req.header(controlHeader) ?? '', token)) return context.json(wrongToken, 403)
    const body: unknown = await context.req.json().catch(() => undefined)
    return context.json(await askRun(folder, check(controlRequestSchema, body, 'the request')))
  })
}
