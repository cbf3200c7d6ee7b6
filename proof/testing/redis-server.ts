import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPeer } from '../../packages/rolecall/src/node/find-peer.ts'
import { folderWith } from './folder-with.ts'
import { succeeds } from './run-program.ts'

/** BullMQ and ioredis are optional peers (scripts/install-peers.sh). */
export const hasQueuePeers = ['bullmq', 'ioredis'].every((name) => findPeer(name) !== undefined)

/** The installed programs that can host a queue. */
export const queueServers = (hasQueuePeers ? ['redis-server', 'valkey-server'] : []).filter((program) => succeeds(program, '--version'))

/** Says which of them the tests use and which are missing. */
export const queueServersText = hasQueuePeers
  ? ['redis-server', 'valkey-server'].map((program) => (queueServers.includes(program) ? program : `without ${program}`)).join(', ')
  : 'needs bullmq and ioredis in ROLECALL_PEERS, and redis-server or valkey-server'

export type RedisServer = {
  url: string
  port: number
  /** The folder of its append-only file. */
  folder: string
  pid(): number | undefined
  kill(signal: NodeJS.Signals): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts a Redis or Valkey with an append-only file, so that it can be killed and restarted. */
export async function redisServer(program: string, settings: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort()
  const folder = folderWith({})
  let child: ChildProcess | undefined
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    pid: () => child?.pid,
    kill: (signal) => void child?.kill(signal),
    async start() {
      const own = [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--appendonly',
        'yes',
        '--save',
        '',
        '--loglevel',
        'warning',
      ]
      for (;;) {
        const started = spawn(program, [...own, ...settings], { stdio: ['ignore', 'pipe', 'ignore'] })
        child = started
        const isOver = new Promise<boolean>((resolve) => started.on('exit', () => resolve(false)))
        if (await Promise.race([answers(port), isOver])) return
        // The port of a killed server is released with a delay.
        await sleep(50)
      }
    },
    async stop() {
      const ended = new Promise((resolve) => child?.on('exit', resolve))
      child?.kill('SIGKILL')
      if (child?.exitCode === null && child.signalCode === null) await ended
    },
  }
  await server.start()
  return server
}

async function answers(port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  for (;;) {
    const isReady = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
      socket.on('data', (data) => {
        socket.destroy()
        resolve(String(data).startsWith('+PONG'))
      })
      socket.on('error', () => resolve(false))
    })
    if (isReady) return true
    await sleep(20)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
