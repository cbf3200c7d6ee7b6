import { keys, queueName } from './protocol.ts'
import { readNotices, serverTime } from './read-queue.ts'
import type { JobQueue, QueueClient } from './redis.ts'

/** Tells all current workers to leave. */
export async function drainWorkers({ redis }: QueueClient): Promise<void> {
  await redis.set(keys.drain, String(await serverTime(redis)), 'EX', 3600)
}

/** Removes a run from a queue. */
export async function clearRun(client: QueueClient, run: string): Promise<void> {
  const { models = [] } = (await readNotices(client.redis)).get(run) ?? {}
  await removeRun(
    client,
    run,
    models.map((_, number) => client.queue(queueName(run, number))),
  )
}

/** Removes all data of a run from Redis. */
export async function removeRun({ redis }: QueueClient, run: string, queues: readonly JobQueue[]): Promise<void> {
  await redis.hdel(keys.runs, run)
  for (const queue of queues) await queue.obliterate({ force: true })
  await redis.del(keys.setup(run), keys.answers(run))
}
