import { removeRun } from './coordinate.ts'
import { keys, queueName } from './protocol.ts'
import { clockOf, readNotices } from './read-queue.ts'
import type { QueueClient } from './redis.ts'

/** Asks all workers to leave that are there now. */
export async function drainWorkers({ redis }: QueueClient): Promise<void> {
  await redis.set(keys.drain, String(await clockOf(redis)), 'EX', 3600)
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
