import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { PromptError } from '@rolecall/core/internal/errors'
import { usesNamedPipes } from '../../platform.ts'
import { fileInRun } from '../file-in-run.ts'
import { runFiles } from '../run-layout.ts'
import { ownAddress, removeSockets, temporaryAddress } from './control-address.ts'
import { type ControlReply, type ControlRequest, type ControlStatus, controlRequestSchema } from './control-messages.ts'

/** Requests are shorter than this. */
const longestRequest = 10_000

/** Closes the socket and removes it; `problem` says why there is none. */
export type OpenControl = { close(): void; problem?: string }

/** Listens for requests to the run in a folder, whose lock this process holds: a line of JSON each, answered with one. */
export async function serveControl(folder: string, answer: (request: ControlRequest) => ControlStatus): Promise<OpenControl> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The client has left.
    socket.on('error', () => {})
    serve(socket, answer)
  })
  const remove = () => removeSockets(folder)
  remove()
  try {
    await listenFor(folder, server)
  } catch (error) {
    remove()
    return { close() {}, problem: `\`rolecall runs ctl\` cannot control this run: ${(error as Error).message}` }
  }
  process.on('exit', remove)
  return {
    close() {
      process.removeListener('exit', remove)
      for (const socket of sockets) socket.destroySoon()
      server.close()
      remove()
    },
  }
}

/** Some file systems have no sockets, and paths of sockets are short: a temporary folder is used instead. */
async function listenFor(folder: string, server: Server): Promise<void> {
  const own = ownAddress(folder)
  if (own !== undefined) {
    try {
      return await listen(server, own)
    } catch (error) {
      if (usesNamedPipes()) throw error
    }
  }
  const other = temporaryAddress()
  writeFileSync(fileInRun(folder, runFiles.controlPath), other, { mode: 0o600 })
  await listen(server, other)
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
    if (server.listening && !usesNamedPipes()) chmodSync(address, 0o600)
  })
}

function serve(socket: Socket, answer: (request: ControlRequest) => ControlStatus): void {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    const end = text.indexOf('\n')
    if (end < 0 && text.length <= longestRequest) return
    socket.removeAllListeners('data')
    socket.end(`${JSON.stringify(replyTo(text.slice(0, Math.max(end, 0)), answer))}\n`)
  })
}

function replyTo(line: string, answer: (request: ControlRequest) => ControlStatus): ControlReply {
  try {
    return { status: answer(readRequest(line)) }
  } catch (error) {
    // The run goes on, e.g. if the disk is full and the new limits cannot be recorded.
    const { code, where, problem, fix } = error instanceof PromptError ? error : failed(error as Error)
    return { error: { code, where, problem, fix } }
  }
}

function failed({ message }: Error): PromptError {
  return new PromptError('failed', { where: 'rolecall runs ctl', problem: message, fix: 'look at the status, and try again' })
}

function readRequest(line: string): ControlRequest {
  try {
    return controlRequestSchema.parse(JSON.parse(line))
  } catch {
    throw new PromptError('wrong-request', {
      where: 'rolecall runs ctl',
      problem: 'the run does not know this request',
      fix: 'use the same version of Rolecall for both commands',
    })
  }
}
