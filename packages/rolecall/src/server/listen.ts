import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { PromptError } from '@rolecall/core/internal/errors'
import { ApiError } from './api-error.ts'

export type ListenOptions = {
  /** 0, the default: any free port. */
  port?: number
  /** 127.0.0.1 by default: reachable from this machine only. */
  host?: string
  /** How long a connection may be idle, in seconds; must exceed the time limit of a reply. */
  idleSeconds?: number
  /** Maximum number of connections per remote address; local ones are unlimited. */
  connectionsPerClient?: number
}

/** A listening server. */
export type Listening = {
  /** For example `http://127.0.0.1:8017`. */
  url: string
  port: number
  /** Finishes the running requests and refuses new ones (503); `now` aborts them, `within` aborts them after that many seconds. */
  close(options?: { now?: boolean; within?: number }): Promise<void>
}

type App = { fetch(request: Request, env: object): Response | Promise<Response> }

/** Listens on a port. */
export async function listen(app: App, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = '127.0.0.1', idleSeconds = 660, connectionsPerClient = 256 } = options
  let isClosing = false
  const fetch = (request: Request, env: object) => (isClosing ? closing() : app.fetch(request, env))
  // Leaves the global Request and Response alone.
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server
  // Limits for slow clients.
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.keepAliveTimeout = 30_000
  server.timeout = Math.min(idleSeconds * 1000, 2 ** 31 - 1)
  server.on('clientError', refuse)
  server.on('connection', limitConnections(connectionsPerClient))
  const running = new Set<ServerResponse>()
  let onIdle = () => {}
  server.prependListener('request', (_, response: ServerResponse) => {
    // Requests that come while the server closes are refused, and do not keep it open.
    if (isClosing) return
    running.add(response)
    response.once('close', () => {
      running.delete(response)
      if (running.size === 0) onIdle()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  let closed: Promise<void> | undefined
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    close({ now = false, within } = {}) {
      isClosing = true
      // Until the last running request has ended, new connections are accepted and answered with 503: a load balancer tries another server.
      closed ??= new Promise<void>((resolve) => {
        onIdle = resolve
        if (running.size === 0) resolve()
      }).then(() => closeWhenIdle(server))
      if (now) server.closeAllConnections()
      else if (within !== undefined) {
        const timer = setTimeout(() => server.closeAllConnections(), within * 1000)
        void closed.then(() => clearTimeout(timer))
      }
      return closed
    },
  }
}

/** Limits connections per client: their total is limited by the machine's file descriptors. */
function limitConnections(most: number): (socket: Socket) => void {
  const openOf = new Map<string, number>()
  return (socket) => {
    const { remoteAddress: address = '' } = socket
    if (isLocalAddress(address)) return
    const open = (openOf.get(address) ?? 0) + 1
    if (open > most) {
      socket.destroy()
      return
    }
    openOf.set(address, open)
    socket.once('close', () => {
      const left = openOf.get(address)! - 1
      if (left === 0) openOf.delete(address)
      else openOf.set(address, left)
    })
  }
}

function isLocalAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

/** Keep-alive connections would keep the server open. */
function closeWhenIdle(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearInterval(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function closing(): Response {
  return new ApiError(503, { message: 'the server is shutting down', code: 'shutting_down', headers: { connection: 'close' } }).response()
}

/** Answers malformed or slow requests with an API error if the socket is still writable. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const [status, reason] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'Request Timeout']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large']
        : [400, 'Bad Request']
  const body = JSON.stringify(new ApiError(status as number, { message: `malformed HTTP request: ${reason}`, code: 'bad_http' }).body())
  const head = `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`
  socket.end(head + body)
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new PromptError('port-in-use', {
      where: '--port',
      problem: `port ${port} is already in use`,
      fix: 'choose another, or 0 for any free port',
    })
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new PromptError('bad-host', {
      where: '--host',
      problem: `this machine has no address ${host}`,
      fix: 'use 127.0.0.1, or 0.0.0.0 for all addresses',
    })
  }
  if (error.code === 'EACCES') {
    return new PromptError('port-forbidden', {
      where: '--port',
      problem: `permission denied for port ${port}`,
      fix: 'choose a port above 1023',
    })
  }
  return error
}
