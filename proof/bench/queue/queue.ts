import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeFolders } from '../../testing/folder-with.ts'
import { queueServers, type RedisServer, redisServer } from '../../testing/redis-server.ts'
import { isSmoke, sized } from '../sizes.ts'
import {
  type Asked,
  atOnce,
  benchFolder,
  type Mock,
  main,
  measure,
  type RunMeasurement,
  start,
  startServer,
  writeConfig,
  writeRows,
} from '../whole-runs.ts'
import { type Pids, type Stretch, stretch, watchRun } from './watch-run.ts'

// Whole evaluations by two workers on a dedicated Redis or Valkey, compared with a run without a queue.

export type QueueMeasurements = {
  program: string
  /** A run without a queue. */
  alone: RunMeasurement
  /** With a server that answers immediately: the middle of a long run, after warm-up. */
  fast: Stretch
  /** With a server that takes 50 ms, after warm-up: rows per second, relative to the ideal for these slots and to bare loops with as many. */
  slow: { perSecond: number; ofIdeal: number; ofBareLoops: number }
  /** Seconds until a worker has its first row, from its start and from its connection. */
  join: { fromStart: number; fromReady: number }
  /** The coordinator's peak memory, and the cost per row early and late in a long run. */
  few: { rows: number; peakMegabytes: number }
  many: { rows: number; peakMegabytes: number; early: number; late: number }
}

export type QueueSizes = { slow: number; few: number; many: number }

const workersAtOnce = 2

/** 100,000 rows for memory and costs, or ROLECALL_BENCH_ROWS. */
export const queueSizes: QueueSizes = {
  slow: sized(6400, 200),
  few: sized(10_000, 100),
  many: Number(process.env.ROLECALL_BENCH_ROWS ?? sized(100_000, 400)),
}

/** Undefined without Redis or Valkey, or without BullMQ and ioredis. */
export async function measureQueue({ slow, few, many }: QueueSizes = queueSizes): Promise<QueueMeasurements | undefined> {
  const [program] = queueServers
  if (program === undefined) return undefined
  const folder = benchFolder()
  const redis = await redisServer(program)
  const [fastServer, slowServer] = [await startServer(folder, 0), await startServer(folder, 50)]
  const workers: ChildProcess[] = []
  const run = (rows: number, { url }: Mock) =>
    start(folder, [main, 'run', writeConfig(folder, rows, url), '--no-cache', '--queue', redis.url])
  try {
    for (const rows of new Set([slow / 2, slow, few, many])) await writeRows(folder, rows)
    const alone = await measure(folder, few, [main, 'run', writeConfig(folder, few, fastServer.url), '--no-cache'])
    workers.push(startWorker(folder, redis).child)
    const join = await timeToJoin(run(slow, slowServer), slowServer, () => startWorker(folder, redis), workers)
    const queued = await rateOf(slowServer, slow, () => run(slow, slowServer).ended)
    const loop = () => start(folder, ['loop.mjs', `rows-${slow / 2}.jsonl`, slowServer.url]).ended
    const bare = await rateOf(slowServer, slow, () => Promise.all(Array.from({ length: workersAtOnce }, loop)))
    await run(few, fastServer).ended
    const fewPeak = peakOf(folder)
    await fastServer.forget()
    const long = run(many, fastServer)
    const pids: Pids = {
      coordinator: [long.child.pid!],
      workers: workers.map(({ pid }) => pid!),
      queue: [redis.pid()!],
      server: [fastServer.process.pid!],
    }
    const samples = await watchRun(pids, fastServer.asked, long.ended)
    return {
      program,
      alone,
      fast: stretch(samples, few / 2, many - few / 2),
      slow: { perSecond: queued, ofIdeal: queued / ((workersAtOnce * atOnce) / 0.05), ofBareLoops: queued / bare },
      join,
      few: { rows: few, peakMegabytes: fewPeak },
      many: {
        rows: many,
        peakMegabytes: peakOf(folder),
        early: stretch(samples, few / 2, 1.5 * few).cost,
        late: stretch(samples, many - 1.5 * few, many - few / 2).cost,
      },
    }
  } finally {
    for (const worker of workers) worker.kill()
    fastServer.stop()
    slowServer.stop()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
    removeFolders()
  }
}

type StartedWorker = { child: ChildProcess; ready: Promise<number> }

function startWorker(folder: string, redis: RedisServer): StartedWorker {
  const child = spawn(process.execPath, [main, 'worker', redis.url], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  // It prints a line once connected; later output is drained, so that it does not block.
  const ready = new Promise<number>((resolve) => child.stderr.on('data', () => resolve(Date.now())))
  return { child, ready }
}

/** Starts a second worker in the middle of a run, and measures when it sends its first row. */
async function timeToJoin(
  run: ReturnType<typeof start>,
  server: Mock,
  another: () => StartedWorker,
  workers: ChildProcess[],
): Promise<QueueMeasurements['join']> {
  const tooShort = run.ended.then(() => Promise.reject(new Error('the run ended before the second worker joined it')))
  tooShort.catch(() => undefined)
  const until = async (isReached: (asked: Asked) => boolean): Promise<Asked> => {
    for (;;) {
      const asked = await Promise.race([server.asked(), tooShort])
      if (isReached(asked)) return asked
      await sleep(20)
    }
  }
  // By then the first worker has opened all its connections.
  await until(({ count }) => count >= sized(20 * atOnce, 1))
  const begun = Date.now()
  const { child, ready } = another()
  workers.push(child)
  // The smallest run may end before the worker has started.
  if (isSmoke) {
    await Promise.all([ready, run.ended])
    return { fromStart: Number.NaN, fromReady: Number.NaN }
  }
  const connected = await Promise.race([ready, tooShort])
  const { newest } = await until((asked) => asked.newest >= begun)
  await run.ended
  return { fromStart: (newest - begun) / 1000, fromReady: (newest - connected) / 1000 }
}

/** Rows per second in the middle of a run, without its start and its last rows. */
async function rateOf(server: Mock, rows: number, begin: () => Promise<unknown>): Promise<number> {
  await server.forget()
  const samples = await watchRun({ coordinator: [], workers: [], queue: [], server: [] }, server.asked, begin())
  return stretch(samples, 0.3 * rows, 0.9 * rows).perSecond
}

function peakOf(folder: string): number {
  return (JSON.parse(readFileSync(join(folder, 'usage.json'), 'utf8')) as { megabytes: number }).megabytes
}
