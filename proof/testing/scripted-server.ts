import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A received request. */
export type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: string; number: number }

/** A response: JSON, plain text, a stream of events, or a function that writes it. */
export type Scripted =
  | { status?: number; headers?: Record<string, string>; json: unknown }
  | { status?: number; headers?: Record<string, string>; text: string }
  | { events: readonly unknown[]; isCut?: boolean }
  | ((response: ServerResponse, seen: Seen) => void)

export type ScriptedServer = {
  url: string
  port: number
  seen: Seen[]
  /** The number of connections made, and of those still open. */
  connections: { made: number; open: number }
  close(): Promise<void>
}

/** A server for tests that responds as a function decides, well-formed or not. */
export async function scriptedServer(answer: (seen: Seen) => Scripted): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  const connections = { made: 0, open: 0 }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const one = { method: request.method!, path: request.url!, headers: request.headers, body, number: seen.length }
      seen.push(one)
      play(answer(one), response, one)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    connections.made++
    connections.open++
    socket.on('close', () => {
      connections.open--
      sockets.delete(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    seen,
    connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function play(scripted: Scripted, response: ServerResponse, seen: Seen): void {
  if (typeof scripted === 'function') scripted(response, seen)
  else if ('events' in scripted) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of scripted.events) response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    if (scripted.isCut) setTimeout(() => response.destroy(), 10)
    else response.end()
  } else {
    const isJson = 'json' in scripted
    response.writeHead(scripted.status ?? 200, { 'content-type': isJson ? 'application/json' : 'text/plain', ...scripted.headers })
    response.end(isJson ? JSON.stringify(scripted.json) : scripted.text)
  }
}
