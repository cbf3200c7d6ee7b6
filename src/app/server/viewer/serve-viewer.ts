import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { CompareThread } from './compare-thread.ts'
import { type Viewed, viewerApp } from './viewer-app.ts'

export type ViewerServer = { url: string; close(): Promise<void> }

type ServeOptions = { port?: number; folder?: string; isReadOnly?: boolean }

/** Serves the viewer on loopback; port 0 means any free port. */
export async function serveViewer(viewed: Viewed, { port = 0, folder, isReadOnly = false }: ServeOptions = {}): Promise<ViewerServer> {
  const comparisons = new CompareThread()
  const token = isReadOnly ? undefined : randomBytes(24).toString('base64url')
  const app = viewerApp(viewed, comparisons, { ...(folder === undefined ? {} : { folder }), token })
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

/** Closes all open files. */
export async function closeViewed({ runs = [], configs }: Viewed): Promise<void> {
  for (const { run } of runs) run.close()
  for (const { rows } of configs) for (const one of rows) await one.close()
}
