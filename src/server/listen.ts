import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'

export type Listening = {
  /** Where it listens, e.g. `http://127.0.0.1:8017`. */
  url: string
  port: number
  close(): Promise<void>
}

/** Listens on a port; 0 takes any that is free. */
export async function listen(app: Hono, { port = 0, host = '127.0.0.1' }: { port?: number; host?: string } = {}): Promise<Listening> {
  // Other code of the process keeps the Request and Response it knows.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${shown}:${address.port}`,
    port: address.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
