import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PromptError } from '@rolecall/core/internal/errors'

/** A server of metrics; `url` is where Prometheus reads them. */
export type OpenMetrics = { url: string; close(): void }

/** Serves metrics at `/metrics` of a port, or of a `HOST:PORT`; without a host, only this machine can read them. Port 0 is a free one. */
export async function serveMetrics(address: string, format: () => string, flag = '--metrics'): Promise<OpenMetrics> {
  const [, bracketed, plain, port] = /^(?:(?:\[([\da-f:]+)\]|([^:\s]+)):)?(\d{1,5})$/i.exec(address) ?? []
  const host = bracketed ?? plain ?? '127.0.0.1'
  if (port === undefined || Number(port) > 65_535)
    throw new PromptError('bad-value', {
      where: flag,
      problem: `${JSON.stringify(address)} is neither a port nor HOST:PORT`,
      fix: 'write a port, e.g. 9464, or 0.0.0.0:9464 for other machines',
    })
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') return response.writeHead(404).end('see /metrics\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405, { allow: 'GET' }).end()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(format())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(
        new PromptError('not-listening', {
          where: flag,
          problem: `metrics cannot be served at ${host}:${port}: ${message}`,
          fix: 'choose another port; 0 takes a free one',
        }),
      ),
    )
    server.listen(Number(port), host, resolve)
  })
  server.unref()
  const { port: own, family, address: bound } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${bound}]` : bound}:${own}/metrics`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
