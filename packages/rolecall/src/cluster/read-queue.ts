import { keys, noticeSchema, type RunNotice, type WorkerStatus, workerSchema } from './protocol.ts'
import type { Redis } from './redis.ts'

/** The runs on a queue. Unreadable ones are of another version, which these workers do not serve. */
export async function readNotices(redis: Redis): Promise<Map<string, RunNotice>> {
  const found = new Map<string, RunNotice>()
  for (const [run, text] of Object.entries(await redis.hgetall(keys.runs))) {
    const notice = noticeSchema.safeParse(parsed(text))
    if (notice.success) found.set(run, notice.data)
  }
  return found
}

/** The workers with a recent heartbeat. */
export async function readWorkers(redis: Redis): Promise<WorkerStatus[]> {
  const ids = await redis.zrange(keys.workers, '0', '-1')
  if (ids.length === 0) return []
  const texts = await redis.mget(ids.map(keys.worker))
  const gone = ids.filter((_, index) => texts[index] === null)
  if (gone.length > 0) await redis.zrem(keys.workers, ...gone)
  return texts.flatMap((text) => {
    const status = workerSchema.safeParse(text === null ? undefined : parsed(text ?? ''))
    return status.success ? [status.data] : []
  })
}

/** Milliseconds by Redis's clock, since clocks of machines differ. */
export async function serverTime(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
