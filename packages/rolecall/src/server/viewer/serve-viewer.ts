import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { PromptError } from '@rolecall/core/internal/errors'
import { CompareThread } from './compare-thread.ts'
import { type Viewed, viewerApp } from './viewer-app.ts'

/** `controlToken` authorises changes to runs in progress. */
export type ViewerServer = { url: string; controlToken?: string; close(): Promise<void> }

type ServeOptions = { port?: number; folder?: string; isReadOnly?: boolean; hasControl?: boolean; isLab?: boolean }

/** Serves the viewer on loopback; port 0 means any free port. */
export async function serveViewer(viewed: Viewed, options: ServeOptions = {}): Promise<ViewerServer> {
  const { port = 0, folder, isReadOnly = false, hasControl = false, isLab = false } = options
  const comparisons = new CompareThread()
  const token = isReadOnly ? undefined : secret()
  const controlToken = hasControl && !isReadOnly ? secret() : undefined
  const app = viewerApp(viewed, comparisons, { ...(folder === undefined ? {} : { folder }), token, controlToken, isLab })
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port })
  await new Promise<void>((listening, failed) => {
    server.once('listening', listening)
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(
        error.code === 'EADDRINUSE'
          ? new PromptError('port-in-use', { where: '--port', problem: `port ${port} is in use`, fix: 'choose another, or omit --port' })
          : error,
      ),
    )
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ...(controlToken === undefined ? {} : { controlToken }),
    async close() {
      await new Promise<void>((closed) => {
        server.close(() => closed())
        // Browsers keep connections open.
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
      await comparisons.stop()
      await closeViewed(viewed)
    },
  }
}

function secret(): string {
  return randomBytes(24).toString('base64url')
}

/** Closes all open files. */
export async function closeViewed({ runs = [], configs }: Viewed): Promise<void> {
  for (const { run } of runs) run.close()
  for (const { rows } of configs) for (const one of rows) await one.close()
}
