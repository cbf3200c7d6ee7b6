import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import { findPeer } from '../node/find-peer.ts'
import { type QueueAddress, withoutLogin } from './address.ts'
import type { JobsOptions, JobWorkerOptions, Queue, QueueOptions, Redis, RedisOptions, Worker } from './client-types.ts'
import { type JobData, queuePrefix, type Times } from './protocol.ts'

export type { Redis }
export type JobQueue = Queue<JobData>
export type JobTaker = Worker<JobData>

/** A connection to Redis or Valkey, and BullMQ on it. */
export type QueueClient = {
  address: QueueAddress
  redis: Redis
  /** Another connection, for commands that block. */
  again(): Redis
  queue(name: string): JobQueue
  taker(name: string, times: Times): JobTaker
  /** The file of the client library, for the heartbeat thread. */
  library: string
  close(): void
}

/** Timeout of the first connection, and the delay before it is retried. */
const firstWait = 5000
const nextTry = 250

/** A finished job is removed: only its answers matter. */
const jobOptions: JobsOptions = { removeOnComplete: true, removeOnFail: true }

/** Connects, and fails immediately if that is impossible; later disconnects are retried. */
export async function connect(address: QueueAddress): Promise<QueueClient> {
  const { ioredis, bullmq } = peers(address)
  const load = createRequire(import.meta.url)
  const { Redis: Client } = load(ioredis) as { Redis: new (url: string, options: RedisOptions) => Redis }
  const { Queue: Jobs, Worker: Taker } = load(bullmq) as {
    Queue: new (name: string, options: QueueOptions) => JobQueue
    Worker: new (name: string, processor: null, options: JobWorkerOptions) => JobTaker
  }
  const opened: Redis[] = []
  let trouble: string | undefined
  const open = (options: RedisOptions = {}) => {
    const client = new Client(address.url, { ...connectionOptions, ...options })
    client.on('error', (error: Error) => {
      trouble = withoutLogin(error.message || (error as NodeJS.ErrnoException).code || 'no connection', address)
    })
    client.on('ready', () => {
      trouble = undefined
    })
    opened.push(client)
    return client
  }
  const redis = open({ lazyConnect: true })
  await ready(redis, address, () => trouble)
  const noPolicyWarning = { skipVersionCheck: true }
  return {
    address,
    redis,
    again: () => open(),
    queue: (name) => quiet(new Jobs(name, { connection: redis, prefix: queuePrefix, defaultJobOptions: jobOptions, ...noPolicyWarning })),
    taker: (name, { lock, check }) =>
      quiet(
        new Taker(name, null, {
          connection: redis,
          prefix: queuePrefix,
          autorun: false,
          lockDuration: lock,
          stalledInterval: check,
          // We decide when to give up a job: see `Taking`.
          maxStalledCount: Number.MAX_SAFE_INTEGER,
          drainDelay: 2,
          skipLockRenewal: true,
          ...noPolicyWarning,
        }),
      ),
    library: ioredis,
    close: () => {
      // If disconnected twice, ioredis waits two seconds for an event that has already happened.
      for (const client of opened) if (client.status !== 'end') client.disconnect()
    },
  }
}

/** Reconnects indefinitely; commands wait meanwhile. */
export const connectionOptions: RedisOptions = {
  maxRetriesPerRequest: null,
  connectTimeout: firstWait,
  keepAlive: 5000,
  retryStrategy: (times: number) => Math.min(1000, 50 * 2 ** times),
}

/** Callers retry failures; without a listener the process would exit. */
function quiet<Emitter extends { on(event: 'error', listener: () => void): unknown }>(emitter: Emitter): Emitter {
  emitter.on('error', () => undefined)
  return emitter
}

/** Connects for the first time. A server that has just started may need a moment; a wrong host or login is not retried. */
async function ready(redis: Redis, address: QueueAddress, trouble: () => string | undefined): Promise<void> {
  const until = performance.now() + firstWait
  for (;;) {
    try {
      await Promise.race([redis.connect().then(() => redis.ping()), late(until)])
      return
    } catch (error) {
      redis.disconnect()
      const said = trouble() ?? withoutLogin((error as Error).message, address)
      const isLogin = /NOAUTH|WRONGPASS|AUTH/i.test(said)
      const isCertificate = /certificate/i.test(said)
      if (!isLogin && !isCertificate && !/ENOTFOUND/.test(said) && performance.now() + nextTry < until) {
        await sleep(nextTry)
        continue
      }
      throw new PromptError('queue-unreachable', {
        where: address.shown,
        problem: `no connection to this Redis or Valkey server: ${said}`,
        fix: isLogin
          ? 'put the login into the address (redis://USER:PASSWORD@HOST:PORT), best by the environment variable ROLECALL_QUEUE'
          : isCertificate
            ? 'set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority, and use the host name that it is for'
            : `start it (redis-server --appendonly yes), and check host and port${address.shown.startsWith('rediss') ? '; rediss:// needs a server with TLS' : ''}`,
      })
    }
  }
}

async function late(until: number): Promise<never> {
  await sleep(Math.max(0, until - performance.now()), undefined, { ref: false })
  throw new Error(`no answer after ${firstWait / 1000} s`)
}

function peers({ shown }: QueueAddress): { ioredis: string; bullmq: string } {
  const [ioredis, bullmq] = [findPeer('ioredis'), findPeer('bullmq')]
  if (ioredis !== undefined && bullmq !== undefined) return { ioredis, bullmq }
  throw new PromptError('not-installed', {
    where: shown,
    problem: 'queues need the packages bullmq and ioredis, which are not installed',
    fix: 'run npm install bullmq@6 ioredis@6',
  })
}

/** Runs one of our scripts. The client sends its text once, then its hash. */
export function runScript<Result>(
  redis: Redis,
  { name, keys, lua }: RedisScript,
  given: readonly (string | number | Buffer)[],
): Promise<Result> {
  // `defineCommand` adds the script as a method, which the client's type cannot know.
  const commands = redis as unknown as Record<string, (...given: readonly unknown[]) => Promise<Result>>
  if (commands[name] === undefined) redis.defineCommand(name, { numberOfKeys: keys, lua })
  return commands[name]!(...given)
}

export type RedisScript = { name: string; keys: number; lua: string }

/** Warnings about a server that does not persist its data. */
export async function persistenceProblems(redis: Redis): Promise<string[]> {
  // Some hosts do not allow the query.
  const info = await Promise.all([redis.info('persistence'), redis.info('memory')]).catch(() => ['', ''])
  const problems: string[] = []
  if (info[0].includes('aof_enabled:0')) {
    problems.push('the queue is not written to disk (appendonly no): after a crash of Redis, rows in progress are run again')
  }
  const [, policy] = /maxmemory_policy:(\S+)/.exec(info[1]) ?? []
  if (policy !== undefined && policy !== 'noeviction') {
    problems.push(`Redis may throw the queue away when it is full (maxmemory-policy ${policy}): set noeviction`)
  }
  return problems
}
